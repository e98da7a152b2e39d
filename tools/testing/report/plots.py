# SPDX-License-Identifier: GPL-2.0
"""Draw a plot as SVG.  Lines differ in their dashes and markers, and bars in their hatches, so that
a reader can tell them apart without colours."""

import html
import io
import re

import matplotlib
matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402, pylint: disable=wrong-import-position

STYLES = (("#000000", "-", "o", ""), ("#0072b2", "--", "s", "///"), ("#d55e00", ":", "^", "..."),
          ("#009e73", "-.", "D", "xxx"), ("#56b4e9", (0, (5, 1)), "v", "\\\\\\"),
          ("#cc79a7", (0, (1, 3)), "x", "++"))
WIDTH = 4.6         # inches, which fit a narrow window
pyplot.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "report", "font.family": "sans-serif",
    "font.size": 10, "axes.grid": True, "grid.color": "#dddddd", "axes.axisbelow": True,
    "legend.fontsize": 9, "hatch.linewidth": 0.6})


def bars(axes, plot, drawn):
    """Draw groups of bars, from top to bottom"""
    height = 0.8 / len(drawn)
    base = 1 if plot.y == "speed-up" else 0
    for i, series in enumerate(drawn):
        color, _, _, hatch = STYLES[i]
        for at, value in enumerate(series.points):
            if value is None:
                continue
            patch = axes.barh(at + (i - (len(drawn) - 1) / 2) * height, value - base, height * 0.9,
                              left=base, facecolor="white" if hatch else "#555555", hatch=hatch,
                              edgecolor=color, label=series.label)[0]
            patch.set_gid(f"series-{i}-{at}")
    axes.axvline(base, color="black", linewidth=0.8)
    axes.set_yticks(range(len(plot.groups)), plot.groups)
    axes.invert_yaxis()
    axes.set_xlabel(plot.y)
    axes.set_ylim(len(plot.groups) - 0.5, -0.5)


def lines(axes, plot, drawn):
    """Draw lines with markers"""
    for i, series in enumerate(drawn):
        color, dashes, marker, _ = STYLES[i]
        axes.plot(*zip(*series.points), color=color, linestyle=dashes if plot.line else "none",
                  marker=marker, markersize=4 if plot.line else 2, markerfacecolor="none",
                  label=series.label)[0].set_gid(f"series-{i}")
    axes.set_xlabel(plot.x)
    axes.set_ylabel(plot.y)
    if plot.log_x:
        axes.set_xscale("log", base=2 if plot.x != "cycles between misses" else 10)
        axes.xaxis.set_major_formatter("{x:g}")
    else:
        axes.locator_params(axis="x", nbins=4)
    if plot.log_y:
        axes.set_yscale("log")
    low, high = axes.get_ylim()
    if low > 0 and not plot.log_y:
        axes.set_ylim(0, high)


def draw(plot):
    """The text of an <svg>, or "" if there is nothing to draw"""
    drawn = plot.drawn()
    if not drawn:
        return ""
    if len(drawn) > len(STYLES):
        raise ValueError(f"{plot.name}: {len(drawn)} series, there are {len(STYLES)} styles")
    height = 3.0 if plot.groups is None else 0.9 + 0.22 * len(plot.groups) * max(len(drawn), 2)
    figure, axes = pyplot.subplots(figsize=(WIDTH, height + 0.25 * ((len(drawn) + 1) // 2)),
                                   layout="constrained")
    (lines if plot.groups is None else bars)(axes, plot, drawn)
    handles = dict(zip(*reversed(axes.get_legend_handles_labels())))
    axes.legend(handles.values(), handles, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2,
                frameon=False)
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    svg = out.getvalue()
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r'^<svg [^>]*?viewBox="([^"]*)"[^>]*>',
                 lambda found: f'<svg role="img" aria-label="{html.escape(plot.title)}" '
                 f'viewBox="{found[1]}">', svg, count=1)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    # The names of all plots share the page.
    svg = re.sub(r'\bid="', f'id="{plot.name}-', svg)
    svg = re.sub(r'\b(xlink:)?href="#', f'href="#{plot.name}-', svg)
    return re.sub(r"url\(#", f"url(#{plot.name}-", svg)
