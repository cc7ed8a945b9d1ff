"""Networks, platforms, and app policies that make many cases of the suite."""

# Without the worst networks, on which the stalls of a film would dominate.
NETWORKS = ["wifi", "3g", "4g", "lte", "lan", "cable", "dsl", "fios", "wifi-slow", "3g-slow", "chrome-3g",
            "chrome-fast-4g", "chrome-slow-4g", "wpt-3g", "wpt-3g-fast", "wpt-3g-slow", "wpt-4g", "wpt-cable",
            "wpt-dsl", "wpt-fios", "wpt-lte", "nlc-3g", "nlc-3g-good", "nlc-cable", "nlc-dsl", "nlc-lte", "nlc-wifi",
            "nlc-wifi-ac", "android-umts", "walk", "bus-3g", "tram", "train", "wifi-lossy", "3g-lossy", "nlc-3g-lossy"]
PLATFORMS = ["desktop", "ios-4.2", "ios-4.3", "ios-12.2", "ios-12.3", "ios-14.0", "ios-15", "ios-26.4", "ios-4.0",
             "android-media3"]
APPS = ["switch-when-ready", "renditions", "switch-and-resume-audio", "switch-if-rate", "switch-if-was-playing",
        "switch-preloaded", "layer-trick"]
