"""How much work the page is for a browser, from an empty page to the referee's first verdict."""

from __future__ import annotations

import pytest

from visits import DESK, Visit


def work_of(browser):
    """The seconds of processor time that each of the browser's processes has used."""
    session = browser.new_browser_cdp_session()
    told = session.send("SystemInfo.getProcessInfo")
    session.detach()
    return {process["id"]: process["cpuTime"] for process in told["processInfo"]}


LOOP = "let n = 1; for (let i = 0; i < 2e8; i++) n = Math.imul(n, 1664525) + i | 0; return n"
"""Work for a browser that takes a second on the machine on which the limits were set."""


def work_of_loop(browser):
    """The seconds of work for the loop, which say how slow the machine is; at least one."""
    context = browser.new_context()
    page = context.new_page()
    before = work_of(browser)
    page.evaluate(f"() => {{ {LOOP} }}")
    spent = sum(work - before.get(one, 0) for one, work in work_of(browser).items())
    context.close()
    return max(1, spent)


def work_until_verdicts(browser, site, idle):
    """The work until the referee's first verdict at a first visit, and at the next, in loops."""
    visit = Visit(browser, site, **DESK)
    spent = []
    for _ in range(2):
        idle()
        slowness = work_of_loop(browser)
        before = work_of(browser)
        page = visit.open(ready=False)
        page.get_by_role("textbox", name="Move", exact=True).fill("draw; lay 4h m1; discard 9h")
        visit.says("Yes, this is allowed")
        work = sum(work - before.get(one, 0) for one, work in work_of(browser).items())
        spent.append(work / slowness)
        page.wait_for_selector("html[data-referee=ready]")
        page.wait_for_function("caches.keys().then((names) => names.length === 1)")
        page.goto("about:blank")
    visit.close()
    return spent


@pytest.mark.timed
def test_the_first_verdict_takes_four_seconds_of_work_and_the_next_visits_two_and_a_half(
    browser, site, idle
):
    # Four loops, that is: a slow machine is slow at these as well. What else it does makes work dearer: the least of
    # three counts.
    visits = [work_until_verdicts(browser, site, idle) for _ in range(3)]
    assert min(first for first, _ in visits) < 4
    assert min(following for _, following in visits) < 2.5
