from __future__ import annotations

from threading import Barrier, Thread

import pytest
from django.db import connection, transaction

from sourceit.models import Counter
from sourceit.numbers import take_number


@pytest.mark.django_db
def test_numbers_count_by_series_and_year():
    taken = [
        take_number(series, year)
        for series, year in [("Q", 2026), ("Q", 2026), ("RFQ", 2026), ("Q", 2027)]
    ]

    assert taken == ["Q-2026-0001", "Q-2026-0002", "RFQ-2026-0001", "Q-2027-0001"]


@pytest.mark.django_db
def test_a_number_past_four_digits_is_printed_whole():
    Counter.objects.create(series="Q", year=2026, value=9999)

    assert take_number("Q", 2026) == "Q-2026-10000"


@pytest.mark.django_db
def test_what_is_rolled_back_leaves_no_gap():
    take_number("Q", 2026)
    with transaction.atomic():
        assert take_number("Q", 2026) == "Q-2026-0002"
        transaction.set_rollback(True)

    assert take_number("Q", 2026) == "Q-2026-0002"


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_fifty_at_once_get_fifty_numbers():
    together, taken = Barrier(50), []

    def take() -> None:
        try:
            together.wait(timeout=30)
            taken.append(take_number("Q", 2026))
        finally:
            connection.close()

    threads = [Thread(target=take) for _n in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)

    assert sorted(taken) == [f"Q-2026-{n:04d}" for n in range(1, 51)]


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_callers_that_give_up_leave_no_gap_among_others():
    together, taken = Barrier(12), []

    def take(gives_up: bool) -> None:
        try:
            together.wait(timeout=30)
            with transaction.atomic():
                number = take_number("Q", 2026)
                transaction.set_rollback(gives_up)
            if not gives_up:
                taken.append(number)
        finally:
            connection.close()

    threads = [Thread(target=take, args=[n % 3 == 0]) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)

    assert sorted(taken) == [f"Q-2026-{n:04d}" for n in range(1, 9)]
