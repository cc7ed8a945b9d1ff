import SegueData
import Testing

@Suite struct `Completion of names` {
    private let names = ["3g", "lte", "wifi"]

    @Test(arguments: [
        ("", ["3g", "lte", "wifi"]), ("w", ["3g", "lte", "wifi"]), ("wifi,", ["wifi,3g", "wifi,lte"]),
        ("wifi,3g,l", ["wifi,3g,lte"]),
    ])
    func `goes on with a list`(word: String, words: [String]) {
        #expect(NameCompletion.words(among: names, for: word, isList: true) == words)
    }

    @Test func `offers single names as they are`() {
        #expect(NameCompletion.words(among: names, for: "wifi,", isList: false) == names)
    }
}
