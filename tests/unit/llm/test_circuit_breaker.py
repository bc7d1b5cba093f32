from saegim.llm.metering import Breaker


class Ticking:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def opened(clock: Ticking) -> Breaker:
    breaker = Breaker(clock, threshold=3, cool_down_seconds=10.0)
    for _ in range(3):
        breaker.failed()
    return breaker


def test_it_admits_until_three_failures_in_a_row():
    breaker = Breaker(Ticking())

    breaker.failed()
    breaker.failed()
    assert breaker.admits()

    breaker.failed()
    assert not breaker.admits()


def test_a_success_in_between_starts_the_count_again():
    breaker = Breaker(Ticking())

    for _ in range(5):
        breaker.failed()
        breaker.failed()
        breaker.succeeded()

    assert breaker.admits()


def test_after_the_cool_down_one_trial_passes_and_the_others_wait():
    clock = Ticking()
    breaker = opened(clock)

    clock.time += 9.9
    assert not breaker.admits()

    clock.time += 0.2
    assert breaker.admits()
    assert not breaker.admits()


def test_a_trial_that_succeeds_opens_the_way_for_all():
    clock = Ticking()
    breaker = opened(clock)
    clock.time += 10.0
    breaker.admits()

    breaker.succeeded()

    assert breaker.admits()
    assert breaker.admits()


def test_a_trial_that_fails_costs_another_cool_down():
    clock = Ticking()
    breaker = opened(clock)
    clock.time += 10.0
    breaker.admits()

    breaker.failed()

    clock.time += 9.9
    assert not breaker.admits()
    clock.time += 0.2
    assert breaker.admits()


def test_a_trial_that_never_reports_back_does_not_close_it_for_ever():
    clock = Ticking()
    breaker = opened(clock)
    clock.time += 10.0
    assert breaker.admits()

    clock.time += 10.0

    assert breaker.admits()
