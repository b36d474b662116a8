"""How people sign up and sign in: django-allauth, with our User."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter

from sourceit.models import User


def display_name(user: User) -> str:
    return str(user)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Keeps e-mail addresses in lower case, as User expects them."""

    def clean_email(self, email: str) -> str:
        return str(super().clean_email(email)).lower()

    def save_user(
        self, request: Any, user: User, form: Any, commit: bool = True
    ) -> User:
        user.email = form.cleaned_data["email"].lower()
        user.set_password(form.cleaned_data.get("password1"))
        if commit:
            user.save()
        return user
