import SegueData
import Testing

@Suite struct `Name completion` {
    private let names = ["3g", "lte", "wifi"]

    @Test(arguments: [
        ("", ["3g", "lte", "wifi"]), ("w", ["3g", "lte", "wifi"]), ("wifi,", ["wifi,3g", "wifi,lte"]),
        ("wifi,3g,l", ["wifi,3g,lte"]),
    ])
    func `completes the last name of a list`(word: String, words: [String]) {
        #expect(NameCompletion.words(among: names, for: word, isList: true) == words)
    }

    @Test func `offers single names unchanged`() {
        #expect(NameCompletion.words(among: names, for: "wifi,", isList: false) == names)
    }
}
