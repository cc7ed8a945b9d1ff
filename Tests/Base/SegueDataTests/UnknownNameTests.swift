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

    @Test(arguments: [
        ("ios-18", ["ios-16", "ios-18.4"]), ("ios-18.3", ["ios-16", "ios-18.4"]), ("ios-28", ["ios-26.4"]),
        ("ios-2", ["ios-3.2-ipad"]), ("ios-4.1", ["ios-3.2-ipad", "ios-4.3"]), ("iOS-12", ["ios-4.3", "ios-16"]),
        ("ios-16.x", ["ios-16"]), ("ios-99999999999999999999", []), ("ios-4.3.1", ["ios-4.3", "ios-16"]),
    ])
    func `suggests the versions around an unknown one`(name: String, meant: [String]) {
        let known = ["ios-3.2-ipad", "ios-4.3", "ios-16", "ios-18.4", "ios-26.4", "desktop"]
        #expect(UnknownName(name, among: known).nearest == meant)
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
