import SegueData
import Testing

@Suite struct `Unknown names` {
    private let names = [
        "2g", "3g", "3g-slow", "android-gprs", "android-gsm", "lte", "nlc-lte", "wifi", "wifi-lossy", "iphone",
        "iphone-3g", "ios-15", "ios-4.3", "background-and-return", "play-through",
    ]

    @Test(arguments: [
        ("gprs", ["android-gprs"]), ("ios", ["ios-15", "ios-4.3"]), ("background", ["background-and-return"]),
        ("wfi", ["wifi"]), ("LTE", ["lte"]), ("lt", ["lte"]), ("3gg", ["3g"]), ("play-thru", ["play-through"]),
        ("android", ["android-gprs", "android-gsm"]), ("andriod", ["android-gprs", "android-gsm"]),
        ("backgr", ["background-and-return"]), ("iphone-14-pro", ["iphone"]), ("ios-16", ["ios-15"]),
        ("slow", ["3g-slow"]), ("xx", []), ("satellite", []), ("", []), ("-", []),
    ])
    func `suggests similar names`(name: String, meant: [String]) {
        #expect(UnknownName(name, among: names.reversed()).nearest == meant)
    }

    @Test func `lists suggestions and known names in one line`() {
        #expect(
            UnknownName("ios", among: ["ios-4.3", "ios-15", "desktop"]).description
                == "ios is unknown; did you mean one of ios-15, ios-4.3? Expected one of desktop, ios-15, ios-4.3"
        )
        #expect(UnknownName("web", among: ["desktop"]).description == "web is unknown; expected one of desktop")
        #expect(UnknownName("web", among: []).description == "web is unknown; no name is known")
    }
}
