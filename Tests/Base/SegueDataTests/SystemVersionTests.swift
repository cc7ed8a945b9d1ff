import SegueData
import Testing

@Suite struct `System version` {
    @Test(arguments: [
        ("iOS 4", "iOS 4.0", true), ("iOS 4.2.1", "iOS 4.2", true), ("iOS 4.2", "iOS 4.2.1", false),
        ("iOS 10", "iOS 9.3.5", true), ("iOS 4", "iPadOS 4", false),
    ])
    func `versions are compared by number, within one system`(one: String, other: String, isAtLeast: Bool) throws {
        let version = try #require(SystemVersion(one))
        #expect(version.isAtLeast(try #require(SystemVersion(other))) == isAtLeast)
        #expect(version.description == one)
    }

    @Test(arguments: [
        "iOS", "4.2", "iOS 4.x", "iOS -1", "iOS 4.", "iOS 1.2.3.4.5", "i OS 4", "iOS 99999999999999999999",
    ])
    func `other text is no version`(text: String) {
        #expect(SystemVersion(text) == nil)
    }

    @Test func `a range contains its ends`() throws {
        let range = try #require(SystemRange("iOS 3.0 to 3.1.3"))
        let found = ["iOS 2.9", "iOS 3", "iOS 3.1.3", "iOS 3.2"].map { SystemVersion($0).map(range.contains) }
        #expect(found == [false, true, true, false] && range.description == "iOS 3.0 to 3.1.3")
        let open = try #require(SystemRange("iOS 10.0 or later"))
        #expect(open.contains(SystemVersion("iOS", 26, 4)) && !open.contains(SystemVersion("iOS", 9)))
        #expect(SystemRange("iOS 4 to 3") == nil && SystemRange("iOS 4") == nil && SystemRange("iOS 4 or so") == nil)
    }
}
