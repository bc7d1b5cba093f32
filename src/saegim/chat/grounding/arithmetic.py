"""Whether a number is the result of a computation from known ones."""

from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, product

# Days, hours, minutes, months, kilo: they convert units and need no source.
GENERAL = frozenset({7.0, 12.0, 24.0, 52.0, 60.0, 100.0, 365.0, 1000.0, 1024.0})
_LARGE, _PERCENT = 1000.0, 100.0
_EXACT = 0.005
_MOST_OPERANDS, _LONGEST_ROW = 60, 60


def is_computed(
    number: float,
    shown: Iterable[float],
    cited: Iterable[float],
    rows: Iterable[Sequence[float]],
) -> bool:
    """Return whether a number is one step from known numbers, a large one two, or sums up a row.

    `shown` are the known numbers of the answer and the question. Those of what it cites are many
    and would yield every small number: they count for large ones and rates.
    """
    known = (*shown, *(cited if number >= _LARGE or number < 1 else ()))
    operands = list(dict.fromkeys(known))[:_MOST_OPERANDS]
    half = _half_unit(number)
    exact = _results(operands)
    if _is_near(number, exact, _EXACT) or _is_near(number, _quotients(operands), half):
        return True
    if any(_sums_up(number, row[-_LONGEST_ROW:], half) for row in rows):
        return True
    return number >= _LARGE and _is_two_steps(number, operands, exact)


def _results(operands: Sequence[float]) -> set[float]:
    rates = [each / 100 for each in operands if each < _PERCENT]
    factors = (*operands, *rates, *(1 - each for each in rates), *(1 + each for each in rates))
    results = set(factors)
    results.update(first * second for first, second in product(operands, (*factors, *GENERAL)))
    for first, second in product(operands, repeat=2):
        results.update((first + second, first - second))
    return results


def _quotients(operands: Sequence[float]) -> set[float]:
    """Return quotients, percentages and changes in percent, which may be written rounded."""
    shares = {first / second for first, second in product(operands, repeat=2) if second}
    converted = {first / unit for first, unit in product(operands, GENERAL)}
    percents = {each * 100 for each in shares}
    return shares | converted | percents | {abs(100 - each) for each in (*percents, *operands)}


def _is_two_steps(number: float, operands: Sequence[float], exact: Collection[float]) -> bool:
    known = {round(each, 2) for each in exact}
    return any(
        round(before, 2) in known
        for each in (*operands, *GENERAL)
        if each
        for before in (number - each, number + each, number * each, number / each)
    )


def _sums_up(number: float, row: Sequence[float], half: float) -> bool:
    """Return whether a number is the sum or mean of neighbours in a row."""
    sums = [0.0, *accumulate(row)]
    spans = ((start, end) for end in range(3, len(sums)) for start in range(end - 2))
    return any(
        min(abs(total - number), abs(total / (end - start) - number)) <= half
        for start, end in spans
        for total in (sums[end] - sums[start],)
    )


def _half_unit(number: float) -> float:
    """Return half of the last digit that is written."""
    decimals = len(f"{number:.4f}".rstrip("0").partition(".")[2])
    return 0.5 * 10**-decimals + 1e-9


def _is_near(number: float, results: Collection[float], half: float) -> bool:
    return any(abs(each - number) <= half for each in results)
