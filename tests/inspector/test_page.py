"""The page in a real browser: what is hovered and chosen lights up, in all panes. Without Chromium it is not run."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

import einsum_front as ef
from einsum_front.cli import main
from examples.ader_dg import matrices

webdriver = pytest.importorskip("selenium.webdriver", reason="the browser tests need selenium")
By = pytest.importorskip("selenium.webdriver.common.by").By
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
WebDriverException = pytest.importorskip("selenium.common.exceptions").WebDriverException
ActionChains = pytest.importorskip("selenium.webdriver.common.action_chains").ActionChains

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="the browser tests need chromium and chromedriver"
)

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",
    "--window-size=1700,1000",
)
EXAMPLES = Path(__file__).parents[2] / "examples"
SIX = "ab,bc,cd,de,ef,fg->ag"
CHAIN = "".join(f"    Q[k,p] += {n}.5 * K[k,l] * Q[l,q] * S[q,p]\n" for n in range(25))
FIFTY = f"tensor Q[8,4]\ntensor K[8,8] constant\ntensor S[4,4]\nkernel long {{\n{CHAIN}}}\n"
FAMILY = "tensor A[3]\nkernel part{n in 0:3} { A[i] = n * A[i] }\n"

Browser = Any
"""Selenium's driver."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests, with a folder of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in (*FLAGS, f"--user-data-dir={folder}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        try:
            driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
        except WebDriverException as error:  # Chromium needs more of a machine than we do
            pytest.skip(f"the browser tests need a Chromium that starts: {(error.msg or '').splitlines()[:1]}")
        yield driver
        driver.quit()


@pytest.fixture
def show(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Opens the page of a command, and sees afterwards that nothing went wrong in it."""
    monkeypatch.chdir(tmp_path)

    def opened(*command: str, code: int = 0, whole: bool = True) -> Browser:
        """With all levels and the graph, or as a reader finds it."""
        assert main(["inspect", *command, "-o", "page.html"]) == code
        browser.get("about:blank")
        browser.get((tmp_path / "page.html").as_uri())
        if whole and not code:
            while hidden := browser.find_elements(By.CSS_SELECTOR, '#toggles button[aria-pressed="false"]'):
                hidden[0].click()
            press(browser, "g")
        return browser

    yield opened
    assert [entry["message"] for entry in browser.get_log("browser")] == []


def marked(browser: Browser, pane: str, kind: str = "strong") -> list[str]:
    found = browser.find_elements(By.CSS_SELECTOR, f'.pane[data-id="{pane}"] .line.{kind}')
    return [each.text.strip() for each in found]


def words(browser: Browser, pane: str) -> list[str]:
    return [each.text for each in browser.find_elements(By.CSS_SELECTOR, f'.pane[data-id="{pane}"] .tok.lit')]


def line(browser: Browser, pane: str, text: str) -> Any:
    lines = browser.find_elements(By.CSS_SELECTOR, f'.pane[data-id="{pane}"] .line')
    return next(each for each in lines if text in each.text)


def soon(found: Callable[[], Any]) -> Any:
    """What is found once the browser has drawn it; the last that was found if that takes too long."""
    end = monotonic() + 20
    while not (last := found()) and monotonic() < end:
        sleep(0.05)
    return last


def press(browser: Browser, *keys: str) -> None:
    ActionChains(browser).send_keys(*keys).perform()


def test_a_line_lights_up_what_it_came_from_and_became(show: Any) -> None:
    browser = show(str(EXAMPLES / "minimal.ein"))
    ActionChains(browser).move_to_element(line(browser, "yir", "log {lj, il to ij}")).perform()
    assert [each[:2] for each in soon(lambda: marked(browser, "plan"))] == ["1:"]
    assert any(each.startswith("gemm.n.n") for each in marked(browser, "tl"))
    assert any("A_item[l + 8 * j]" in each for each in marked(browser, "cl"))
    assert not any("w_item[k]" in each for each in marked(browser, "cl"))
    assert any("w_item[k]" in each for each in marked(browser, "cl", "weak"))
    lit = browser.find_elements(By.CSS_SELECTOR, '.pane[data-id="ein"] .span-lit')
    assert "".join(each.text for each in lit) == "A[lj]*B[ikl]*w[k]"
    strong = browser.find_elements(By.CSS_SELECTOR, "#view .node.weak, #view .node.strong")
    assert len(strong) == 1


def levels(browser: Browser) -> list[str]:
    return [each.get_attribute("data-id") for each in browser.find_elements(By.CSS_SELECTOR, ".pane")]


@pytest.fixture
def wide(browser: Browser) -> Iterator[Callable[[int], None]]:
    """Makes the window this wide, and as it was afterwards."""
    before = browser.get_window_size()
    yield lambda width: browser.set_window_size(width, before["height"])
    browser.set_window_size(before["width"], before["height"])


def test_few_panes_are_there_at_first(show: Any, wide: Callable[[int], None]) -> None:
    """Notation and code, the tensor language where there is room; one line says what to do."""
    matrices.write(4)
    for width, expected in ((1600, ["ein", "tl", "cl"]), (1100, ["ein", "cl"])):
        wide(width)
        browser = show(str(EXAMPLES / "ader_dg" / "volume.ein"), whole=False)
        assert levels(browser) == expected
        assert browser.find_element(By.ID, "said").text.startswith("Select a letter, a tensor or a line")
        assert not browser.find_element(By.ID, "view").is_displayed()
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        assert line(browser, "cl", "void volume(").is_displayed()
        press(browser, "g")
        assert browser.find_element(By.ID, "view").is_displayed()
        press(browser, "g")
        assert not browser.find_element(By.ID, "view").is_displayed()


def test_facts_are_folded(show: Any) -> None:
    matrices.write(4)
    browser = show(str(EXAMPLES / "ader_dg" / "volume.ein"))
    (facts, arguments) = browser.find_elements(By.CSS_SELECTOR, '.pane[data-id="tl"] .fold > button')
    assert facts.text == "60 lines: batched, nonzeros, values"
    assert arguments.text == "11 lines: arguments"
    lines = browser.find_elements(By.CSS_SELECTOR, '.pane[data-id="tl"] .line')
    assert not lines[0].is_displayed()
    browser.execute_script("arguments[0].click()", facts)
    assert lines[0].is_displayed()
    press(browser, "f", "f")
    assert not lines[0].is_displayed()
    (name, *_) = [each for each in browser.find_elements(By.CSS_SELECTOR, ".root .tok.t") if each.text == "kDivM"]
    name.click()
    assert set(arguments.find_element(By.XPATH, "..").get_attribute("class").split()) == {"fold", "weak"}


def test_a_letter_leads_to_its_loop(show: Any) -> None:
    browser = show("--einsum", "kl,lq->kq", "--shape", "24,18", "--shape", "18,20", whole=False)
    (letter, *_) = [each for each in browser.find_elements(By.CSS_SELECTOR, ".root .tok.i") if each.text == "l"]
    letter.click()
    said = browser.find_element(By.ID, "said").text
    assert said.startswith("index l: ")
    assert said.endswith("of OpenCL C · Esc lets it go")
    pane = browser.find_element(By.CSS_SELECTOR, '.pane[data-id="cl"] .lines').rect
    loops = [
        each for each in browser.find_elements(By.CSS_SELECTOR, '.pane[data-id="cl"] .line') if "for (" in each.text
    ]
    own = next(each.rect for each in loops if each.find_elements(By.CSS_SELECTOR, ".tok.lit"))
    assert pane["y"] <= own["y"] <= pane["y"] + pane["height"]


def test_drawings_can_be_read(show: Any) -> None:
    """Words of 12 pixels at least, operands in the order of the notation, and no box above the head of an arrow."""
    matrices.write(4)
    browser = show(str(EXAMPLES / "ader_dg" / "volume.ein"))
    for key in ("g", "o"):
        if key == "o":
            press(browser, key)
        assert browser.execute_script(
            "return [...document.querySelectorAll('#view svg text')]"
            ".every((t) => t.getBoundingClientRect().height >= 12)"
        )
        assert browser.execute_script(
            "return !!(document.querySelector('#view .arrow').compareDocumentPosition("
            "document.querySelectorAll('#view .node')[0]) & Node.DOCUMENT_POSITION_PRECEDING)"
        )
    press(browser, "g")
    names = ("kDivM_0", "star_0", "kDivM_1_left", "kDivM_1_right")
    tops = browser.execute_script(
        "const top = (name) => [...document.querySelectorAll('#view .node')].find((n) => n.querySelector('text')"
        ".textContent === name).getBoundingClientRect().top; return arguments[0].map(top)",
        names,
    )
    assert tops == sorted(tops)


def test_an_index_and_a_tensor_are_found_everywhere(show: Any) -> None:
    browser = show(str(EXAMPLES / "minimal.ein"))
    statement = line(browser, "ein", "C[ij] = 2.0*C[ij]")
    (letter, *_) = [each for each in statement.find_elements(By.CSS_SELECTOR, ".tok.i") if each.text == "l"]
    letter.click()
    assert words(browser, "ein") == ["l", "l"]
    assert set(words(browser, "yir")) == {"l"}
    assert "%l" in words(browser, "tl")
    badges = [each.text for each in browser.find_elements(By.CSS_SELECTOR, '.pane[data-id="yir"] .badge')]
    assert badges == ["l = a loop", "l = k"]
    statement.find_elements(By.CSS_SELECTOR, ".tok.t")[2].click()
    assert set(words(browser, "ein")) == {"A"}
    assert set(words(browser, "tl")) == {"%A", "%A_item"}
    assert "A_item" in words(browser, "cl")
    press(browser, Keys.ESCAPE)
    assert words(browser, "cl") == []


def test_characters_of_the_notation_lead_down(show: Any) -> None:
    browser = show(str(EXAMPLES / "minimal.ein"))
    node = line(browser, "ein", "C[ij] = 2.0*C[ij]")
    browser.execute_script("pin({ spot: [0, +arguments[0].dataset.l, 30, +arguments[0].dataset.l, 30] })", node)
    assert [each[:2] for each in marked(browser, "plan")][:2] == ["0:", "1:"]
    assert any("gemv" in each for each in marked(browser, "tl"))


def test_every_view_and_both_themes(show: Any) -> None:
    matrices.write(4)
    browser = show(str(EXAMPLES / "ader_dg" / "volume.ein"))
    for key, count in (
        ("o", "#view .node"),
        ("p", "#view tbody tr"),
        ("m", "#view .bar"),
        ("z", "canvas"),
        ("g", "#view .node"),
    ):
        press(browser, key)
        assert browser.find_elements(By.CSS_SELECTOR, count), key
    press(browser, "d")
    assert browser.find_elements(By.CSS_SELECTOR, "pre.diff .add")
    before = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert browser.execute_script("localStorage.clear(); setTheme('light'); return localStorage.length") == 0
    press(browser, "t")
    assert browser.execute_script("return getComputedStyle(document.body).backgroundColor") != before
    assert browser.execute_script("return localStorage.getItem('einsum-front-theme')") == "dark"  # as was chosen
    browser.execute_script("localStorage.clear()")
    shown = len(browser.find_elements(By.CSS_SELECTOR, ".pane"))
    press(browser, "1")
    assert len(browser.find_elements(By.CSS_SELECTOR, ".pane")) == shown - 1


def test_a_table_is_sorted(show: Any) -> None:
    browser = show("--einsum", SIX, *(word for n in (4, 5, 6, 7, 8, 9) for word in ("--shape", f"{n},{n + 1}")))
    press(browser, "p")
    head = next(each for each in browser.find_elements(By.CSS_SELECTOR, "th button") if "bytes" in each.text)
    head.click()
    column = [
        each.text for each in browser.find_elements(By.CSS_SELECTOR, "#view table:first-of-type tbody td:nth-child(7)")
    ]
    numbers = [int(each.replace(",", "")) for each in column]
    assert len(numbers) == 5
    assert numbers == sorted(numbers, reverse=True)


def test_keys_walk_through_lines_and_panes(show: Any) -> None:
    browser = show(str(EXAMPLES / "minimal.ein"))
    line(browser, "yir", "%tmp0 = alloca").click()
    press(browser, Keys.ARROW_DOWN)
    assert marked(browser, "yir")[0].startswith("log {ik[l]")
    press(browser, Keys.ARROW_RIGHT)
    here = browser.find_element(By.CSS_SELECTOR, ".line.here")
    assert here.get_attribute("data-p") == "3"
    press(browser, Keys.ESCAPE)
    assert not marked(browser, "yir")


def test_a_kernel_of_fifty_steps(show: Any, tmp_path: Path) -> None:
    (tmp_path / "long.ein").write_text(FIFTY, encoding="utf-8")
    browser = show("long.ein")
    press(browser, "o")
    assert len(browser.find_elements(By.CSS_SELECTOR, "#view .node.assignment")) >= 50
    browser.execute_script("arguments[0].click()", line(browser, "plan", "40: log"))
    view = browser.find_element(By.CSS_SELECTOR, "svg.canvas").rect
    node = browser.find_element(By.CSS_SELECTOR, "#view .node.strong").rect
    assert view["x"] <= node["x"] <= view["x"] + view["width"]
    assert view["y"] <= node["y"] <= view["y"] + view["height"]
    assert (tmp_path / "page.html").stat().st_size < 2_000_000


def test_a_family_is_chosen(show: Any, tmp_path: Path) -> None:
    (tmp_path / "family.ein").write_text(FAMILY, encoding="utf-8")
    browser = show("family.ein")
    assert line(browser, "tl", "func @part_0")
    press(browser, "]")
    assert line(browser, "tl", "func @part_1")
    assert browser.find_element(By.ID, "kernel").get_attribute("value") == "1"


def test_an_edited_text_lights_up_its_notation(show: Any, tmp_path: Path) -> None:
    (tmp_path / "a.ein").write_text((EXAMPLES / "minimal.ein").read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["compile", "a.ein", "--dump-to", "levels"]) == 0
    edited = tmp_path / "levels/minimal.tl"
    edited.write_text(edited.read_text(encoding="utf-8").replace("2.0", "3.0"), encoding="utf-8")
    browser = show("levels/minimal.tl")
    store = line(browser, "cl", "= 3.0 * *(global double4_u *)(C_item + 8 * j) + sum[0]")
    browser.execute_script("arguments[0].click()", store)
    lit = browser.find_elements(By.CSS_SELECTOR, ".span-lit")
    assert any("gemm.n.n" in each.text for each in lit)
    notation = browser.find_elements(By.CSS_SELECTOR, '.pane[data-id="ein"] .span-lit')
    assert "".join(each.text for each in notation) == "A[lj]*B[ikl]*w[k]"


def test_mistakes_stand_in_their_place(show: Any, tmp_path: Path) -> None:
    (tmp_path / "wrong.ein").write_text("tensor A[3]\ntensor B[4]\nkernel k { A[i] = B[i] }\n", encoding="utf-8")
    browser = show("wrong.ein", code=1)
    (error,) = browser.find_elements(By.CSS_SELECTOR, ".error")
    assert error.text.startswith("error[E0203]")
    assert [each.text for each in browser.find_elements(By.CSS_SELECTOR, ".mark")] == ["3", "i", "i"]


def test_a_frame_of_a_notebook_stays_where_it_is(show: Any, browser: Browser, tmp_path: Path) -> None:
    """The page in a frame has the address of the notebook, which must not be loaded into the frame."""
    show(str(EXAMPLES / "minimal.ein"))
    framed = ef.compile(ef.parse(FAMILY)).inspect()._repr_html_()
    (tmp_path / "notebook.html").write_text(f"<!DOCTYPE html><title>notebook</title>{framed}", encoding="utf-8")
    browser.get((tmp_path / "notebook.html").as_uri())
    browser.switch_to.frame(0)
    assert line(browser, "tl", "func @part_0")
    line(browser, "tl", "func @part_0").click()
    press(browser, "]")
    assert line(browser, "tl", "func @part_1")
    browser.switch_to.default_content()
    assert browser.title == "notebook"


def test_edited_opencl_opens_at_the_edit(show: Any, tmp_path: Path) -> None:
    (tmp_path / "a.ein").write_text((EXAMPLES / "minimal.ein").read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["compile", "a.ein", "--dump-to", "levels"]) == 0
    edited = tmp_path / "levels/minimal.cl"
    text = edited.read_text(encoding="utf-8")
    edited.write_text(text.replace("double b0 = w_item[k];", "double b0 = 2.0 * w_item[k];"), encoding="utf-8")
    browser = show("levels/minimal.cl")
    press(browser, "d")
    added = [each.text for each in browser.find_elements(By.CSS_SELECTOR, "pre.diff .add")]
    assert any("double b0 = 2.0 * w_item[k];" in each for each in added)
    browser.execute_script("arguments[0].click()", line(browser, "cl", "double b0 = 2.0 * w_item[k];"))
    assert any(each.startswith("0:") for each in marked(browser, "plan"))
