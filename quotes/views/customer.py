"""Customers' pages."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render

from sourceit.http import HttpRequest


def basket(request: HttpRequest) -> HttpResponse:
    return render(request, "quotes/customer/basket.html")


def track(request: HttpRequest, token: str) -> HttpResponse:
    raise Http404


def answer(request: HttpRequest, token: str) -> HttpResponse:
    raise Http404
