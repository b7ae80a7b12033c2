"""The playground in the frame of another page, as the front page of the docs shows it."""

from __future__ import annotations

import re

import pytest

from visits import NOT_BUILT, PHONE, SITE, Visit, served

pytestmark = pytest.mark.skipif(not (SITE / "index.html").exists(), reason=NOT_BUILT)


def test_in_a_frame_the_referee_comes_when_the_table_is_touched(browser):
    with served() as site:
        visit = Visit(browser, site, **PHONE)
        page = visit.page
        around = "<!doctype html><link rel=icon href=data:,><iframe src=index.html width=380 height=800></iframe>"
        page.route(
            "**/front.html", lambda route: route.fulfill(body=around, content_type="text/html")
        )
        page.goto(f"{site}front.html")
        frame = page.frame_locator("iframe")
        pile = frame.get_by_role("group", name=re.compile("pile", re.IGNORECASE))
        card = pile.get_by_role("button", name="4 of clubs", exact=True)
        card.wait_for()
        assert not any("wasm" in url for url in visit.requests)
        with page.expect_request(re.compile("wasm"), timeout=60_000):
            card.click()
        frame.get_by_text("Yes, Ann may take the").wait_for()
        visit.close()
