"""Pairs of titles and networks. The fields were not derived from any of these titles."""

QUICK = [
    ("ts-2s-700", "3g"),
    ("fmp4-4s-apart-300-1000", "dsl"),
    ("ts-4s-800-300-1600-3000", "fall"),
]

FULL = [
    # Faster than the title: the cost of a start.
    ("ts-2s-700", "lte"),
    ("fmp4-10s-1500-500", "lte"),
    ("fmp4-4s-apart-300-1000", "wifi"),
    # A rate near the title's, or below it.
    ("ts-2s-700", "3g"),
    ("ts-2s-700", "wpt-3g-slow"),
    ("ts-10s-500", "wpt-3g-slow"),
    ("fmp4-4s-600", "3g"),
    ("fmp4-4s-600", "wpt-3g-slow"),
    ("ts-4s-ranges-600", "wpt-3g-slow"),
    ("ts-2s-apart-500", "wpt-3g-slow"),
    ("fmp4-6s-apart-ranges-700", "dsl"),
    # Several variants.
    ("ts-4s-300-800-1600", "dsl"),
    ("ts-4s-300-800-1600", "fall"),
    ("fmp4-10s-1500-500", "dsl"),
    ("fmp4-4s-apart-300-1000", "dsl"),
    ("fmp4-4s-apart-300-1000", "fall"),
    ("ts-4s-800-300-1600-3000", "fall"),
    # Outages.
    ("ts-10s-500", "outage12"),
    ("fmp4-4s-600", "outage12"),
    ("fmp4-4s-apart-300-1000", "outage12"),
    # Live windows.
    ("ts-2s-live-450", "wpt-3g"),
    ("ts-2s-live-450", "outage12"),
    # Measured after all fields had been determined.
    ("ts-3s-900", "3g"),
    ("fmp4-6s-450", "wpt-3g-slow"),
    ("ts-6s-400-1200-2400", "wpt-3g"),
    ("fmp4-5s-apart-500-1500", "dsl"),
    ("fmp4-5s-apart-500-1500", "wpt-4g"),
    ("ts-3s-900", "wifi-slow"),
    # Measured after the discovery of mpv's single reader, with mpv only.
    ("ts-5s-1100", "chrome-3g"),
    ("ts-7s-700-1900", "wpt-dsl"),
    ("fmp4-3s-apart-600-1800", "wpt-3g-fast"),
    ("fmp4-8s-350", "android-umts"),
]
