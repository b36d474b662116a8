"""Every setting, read from the environment; `.env.example` explains each name."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import django_stubs_ext
from environs import FileAwareEnv, validate

# Lets classes name the model they are for (ModelAdmin[User]), as mypy wants.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent

# eager=False collects every mistake, so that seal() can report them all at once.
env = FileAwareEnv(eager=False, strip_whitespace=True)
env.read_env(str(BASE_DIR / ".env"), recurse=False)

# --- The basics -------------------------------------------------------------

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = (
    env.str("SECRET_KEY", default="only-for-debug") if DEBUG else env.str("SECRET_KEY")
)
SECRET_KEY_FALLBACKS: list[str] = env.list("SECRET_KEY_FALLBACKS", default=[])
# Where people reach the site: links in e-mails and PDFs start with it.
SITE_URL = env.str("SITE_URL", default="http://localhost:8000").rstrip("/")
_site = urlsplit(SITE_URL)
IS_HTTPS = _site.scheme == "https"
ALLOWED_HOSTS = env.list(
    "ALLOWED_HOSTS", default=[_site.hostname or "localhost", "localhost", "127.0.0.1"]
)
CSRF_TRUSTED_ORIGINS = [SITE_URL]
# Everything the application writes when no other server is named.
VAR_DIR = env.path("VAR_DIR", default=BASE_DIR / "var")
if VAR_DIR:
    VAR_DIR.mkdir(parents=True, exist_ok=True)

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_htmx",
    "django_linear_migrations",
    "template_partials",
    "sourceit",
    "catalog",
    "fabrics",
    "quotes",
]

MIDDLEWARE = [
    "sourceit.middleware.EmptyHeadMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "sourceit.middleware.RequestIdMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "sourceit.urls"
WSGI_APPLICATION = "sourceit.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [
                "django.templatetags.static",
                "django_htmx.templatetags.django_htmx",
                "template_partials.templatetags.partials",
                "sourceit.templatetags.sourceit",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "sourceit.context_processors.site",
                "catalog.context_processors.notices",
                "quotes.context_processors.basket",
            ],
        },
    }
]

# --- Data -------------------------------------------------------------------

DATABASES = {
    "default": env.dj_db_url(
        "DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'db.sqlite3'}", conn_max_age=600
    )
}
if DATABASES["default"] and "sqlite3" in DATABASES["default"]["ENGINE"]:
    DATABASES["default"]["OPTIONS"] = {
        # A writer takes its lock at once, so two writers wait instead of failing.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.str("REDIS_URL", default="")
CACHES = {
    "default": (
        {
            "BACKEND": "sourceit.cache.RedisCache",
            "LOCATION": REDIS_URL,
            # A page waits this long, in seconds, for a Redis that is away.
            "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},
        }
        if REDIS_URL
        # Shared by the web and worker processes without a server to install.
        else {
            "BACKEND": "django.core.cache.backends.db.DatabaseCache",
            "LOCATION": "sourceit_cache",
        }
    )
}

# --- People and sign-in -------------------------------------------------------

AUTH_USER_MODEL = "sourceit.User"
AUTHENTICATION_BACKENDS = [
    "sourceit.backends.RoleBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "sourceit.accounts.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_USER_DISPLAY = "sourceit.accounts.display_name"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "SourceIT"
# Sign-in with a second factor is required of staff; the demo desk turns it off.
STAFF_MFA_REQUIRED = env.bool("STAFF_MFA_REQUIRED", default=not DEBUG)

# --- Words, numbers, time -----------------------------------------------------

LANGUAGE_CODE = "en-sg"
USE_I18N = False
TIME_ZONE = "Asia/Singapore"
USE_TZ = True
FORMAT_MODULE_PATH = ["sourceit.formats"]

# --- Static and stored files --------------------------------------------------

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = env.path("STATIC_ROOT", default=BASE_DIR / "staticfiles")
MEDIA_ROOT = VAR_DIR / "media"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # What people upload: never under an address of its own, only through a view.
    "private": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": VAR_DIR / "private"},
    },
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG
            else "whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    },
}
# What one file may weigh, in bytes, and how many go with one request or message.
UPLOAD_MAX_BYTES = env.int("UPLOAD_MAX_MB", default=10) * 1024 * 1024
UPLOAD_MAX_FILES = env.int("UPLOAD_MAX_FILES", default=10)
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
# The builder without JavaScript posts the whole table: ten fields for each line.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 12_000

# --- E-mail -------------------------------------------------------------------

_is_mail_url = validate.Regexp(
    r"(?:smtps?|submission|submit|console|file)://|$",
    error="Begin it with submission:// (TLS) or smtp://.",
)
_email = env.dj_email_url("EMAIL_URL", default="")
EMAIL_IS_MAILBOX = not env.str("EMAIL_URL", default="", validate=_is_mail_url)
MAILBOX_DIR = VAR_DIR / "mailbox"
if EMAIL_IS_MAILBOX:
    # No mail server: messages go to a mailbox that staff open at /desk/mailbox/.
    EMAIL_BACKEND = "sourceit.mailbox.MailboxBackend"
elif _email and "EMAIL_BACKEND" in _email:
    EMAIL_BACKEND = _email["EMAIL_BACKEND"]
    EMAIL_HOST = _email["EMAIL_HOST"]
    EMAIL_PORT = _email["EMAIL_PORT"]
    EMAIL_HOST_USER = _email["EMAIL_HOST_USER"]
    EMAIL_HOST_PASSWORD = _email["EMAIL_HOST_PASSWORD"]
    EMAIL_USE_TLS = _email["EMAIL_USE_TLS"]
    EMAIL_USE_SSL = _email["EMAIL_USE_SSL"]
EMAIL_TIMEOUT = 20
SALES_EMAIL = env.str("SALES_EMAIL", default="sales@sourceit.com.sg")
SALES_PHONE = env.str("SALES_PHONE", default="(65) 6978 3502")
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default=f"SourceIT <{SALES_EMAIL}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# --- The seller, as printed on quotations ---------------------------------------
# Empty means unknown: the demo prints SAMPLE, production refuses to send a quote.

SELLER_IS_SAMPLE = env.bool("SELLER_IS_SAMPLE", default=DEBUG)
SELLER = {
    "legal_name": env.str("SELLER_LEGAL_NAME", default=""),
    "uen": env.str("SELLER_UEN", default=""),
    "gst_number": env.str("SELLER_GST_NUMBER", default=""),
    "address": env.str("SELLER_ADDRESS", default=""),
    "phone": SALES_PHONE,
    "email": SALES_EMAIL,
    "site": SITE_URL,
}
REPLY_WITHIN = env.str("REPLY_WITHIN", default="one working day")
# Whether somebody is written to when a request has no quote by the time promised.
NO_QUOTE_YET_ALERT = env.bool("NO_QUOTE_YET_ALERT", default=True)
QUOTE_VALID_DAYS = env.int("QUOTE_VALID_DAYS", default=14)
SEND_UNDO_SECONDS = env.int("SEND_UNDO_SECONDS", default=30)

# --- Work done later ------------------------------------------------------------

_broker_dir = VAR_DIR / "broker"
CELERY_BROKER_URL = REDIS_URL or "filesystem://"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = (
    # A page gives a dead Redis no second try: the sweep is the second try.
    {"max_retries": 0, "socket_connect_timeout": 2}
    if REDIS_URL
    # kombu's broker of plain files: a real worker with nothing to install.
    else {
        "data_folder_in": str(_broker_dir / "queue"),
        "data_folder_out": str(_broker_dir / "queue"),
        "control_folder": str(_broker_dir / "control"),
        "polling_interval": 0.05,
    }
)
CELERY_TASK_IGNORE_RESULT = True
# A dead broker must not hold up a page: the sweep finds what could not be queued.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_TIME_LIMIT = 120
CELERY_TASK_SOFT_TIME_LIMIT = 90
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 200
# In kilobytes. A quote of 1,000 lines takes 210 MB; a worker that grew starts anew.
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 300_000
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = TIME_ZONE
# State is in the database; these sweeps find what a lost message left behind.
CELERY_BEAT_SCHEDULE = {
    name: {"task": task, "schedule": 2.0, "options": {"expires": 10}}
    for name, task in {
        "send-due-deliveries": "sourceit.tasks.sweep_deliveries",
        "dispatch-due-quotes": "quotes.tasks.sweep_sending",
        "print-papers": "quotes.tasks.sweep_papers",
        "make-due-reports": "fabrics.tasks.sweep_reports",
    }.items()
}
CELERY_BEAT_SCHEDULE["remind-customers"] = {
    "task": "quotes.tasks.remind",
    "schedule": 600.0,
    "options": {"expires": 300},
}

CELERY_BEAT_SCHEDULE["tidy-files"] = {
    "task": "sourceit.tasks.tidy_files",
    "schedule": 6 * 3600.0,
    "options": {"expires": 3600},
}

CELERY_BEAT_SCHEDULE["tidy-baskets"] = {
    "task": "quotes.tasks.tidy_baskets",
    "schedule": 24 * 3600.0,
    "options": {"expires": 3600},
}

# --- Security -------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = IS_HTTPS
CSRF_COOKIE_SECURE = IS_HTTPS
CSRF_FAILURE_VIEW = "sourceit.views.csrf_failed"
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = IS_HTTPS
SECURE_HSTS_PRELOAD = IS_HTTPS
# Behind a proxy that sets these headers; off unless asked for.
TRUST_PROXY = env.bool("TRUST_PROXY", default=False)
if TRUST_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- Logs -----------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    # These tell every step of every PDF.
    "loggers": {
        name: {"level": "WARNING"}
        for name in ("weasyprint.progress", "fontTools", "pikepdf")
    },
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="INFO")},
}

env.seal()
