"""The page of what a model sends."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_safe

from fabrics.model_form import ModelForm, presets
from sourceit.htmx import render_page, wants_partial
from sourceit.http import HttpRequest


@require_safe
def model_traffic(request: HttpRequest) -> HttpResponse:
    """Work out the model of the address; the first on file if it names none."""
    has_asked = "layers" in request.GET
    form = ModelForm.of(request.GET if has_asked else QueryDict(presets()[0].query))
    status = 200 if form.is_valid() else 422
    address = f"{reverse('fabrics:model')}?{urlencode(form.data)}"
    share_url = request.build_absolute_uri(address)
    context = {"form": form, "presets": presets(), "share_url": share_url}
    response = render_page(
        request, "fabrics/model.html", context, partial="sent", status=status
    )
    if wants_partial(request) and status == 200:
        url = f"{reverse('fabrics:model')}?{request.GET.urlencode()}"
        response["HX-Replace-Url"] = url
    return response
