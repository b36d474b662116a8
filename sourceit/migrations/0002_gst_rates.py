"""The GST rates since 2007, with their source."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.db import migrations

SOURCE = "IRAS, taxBytes on the GST rate changes of 2023 and 2024"
RATES = {
    date(2007, 7, 1): Decimal(7),
    date(2023, 1, 1): Decimal(8),
    date(2024, 1, 1): Decimal(9),
}


def add_rates(apps, schema_editor):
    TaxRate = apps.get_model("sourceit", "TaxRate")
    for valid_from, percent in RATES.items():
        TaxRate.objects.get_or_create(
            valid_from=valid_from, defaults={"percent": percent, "source": SOURCE}
        )


class Migration(migrations.Migration):
    dependencies = [("sourceit", "0001_initial")]
    operations = [migrations.RunPython(add_rates, migrations.RunPython.noop)]
