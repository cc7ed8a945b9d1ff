import SegueBase
import SegueData
import Testing

@Suite struct `Harness fields` {
    @Test func `an invalid value is reported with file, line, and key`() throws {
        var fields = try HarnessFile.fields(of: "name: a\ndown:\n  rate: fast\n", file: "n.yaml")
        #expect(try fields.text("name") == "a")
        var down = try #require(try fields.fields("down"))
        let error = try #require(throws: HarnessError.self) { try down.number("rate") }
        #expect(error.description == "n.yaml:3: down.rate: is fast, must be a number such as 12, 0.5 or 30000/1001")
    }

    @Test func `an unknown key is reported with the nearest valid one`() throws {
        var fields = try HarnessFile.fields(of: "nmae: a\n", file: "n.yaml")
        #expect(try fields.text("name") == nil)
        let error = try #require(throws: HarnessError.self) { try fields.finish() }
        #expect(error.line == 1)
        #expect(error.message.contains("did you mean name?"))
    }

    @Test func `a missing required text or number is reported`() throws {
        var fields = try HarnessFile.fields(of: "name: a\nrate: 0.5\n", file: "n.yaml")
        #expect(try fields.requiredText("name") == "a")
        #expect(try fields.requiredNumber("rate") == Rational(1, 2))
        try fields.finish()
        let noText = try #require(throws: HarnessError.self) { try fields.requiredText("title") }
        #expect(noText.description == "n.yaml:1: title: is missing")
        let noNumber = try #require(throws: HarnessError.self) { try fields.requiredNumber("start") }
        #expect(noNumber.description == "n.yaml:1: start: is missing")
    }

    @Test func `values of every kind are read`() throws {
        let text = "flag: yes\ncount: 7\nsteps: [1, 2]\nnames: [a, b]\noptions: {z: 1, a: x}\nlist: [{n: 1}, {n: 2}]\n"
        var fields = try HarnessFile.fields(of: text, file: "n.yaml")
        #expect(try fields.flag("flag") == true)
        #expect(try fields.integer("count", in: 1...9) == 7)
        #expect(try fields.integers("steps") == [1, 2])
        #expect(try fields.texts("names") == ["a", "b"])
        let pairs = try fields.pairs("options")
        #expect(pairs.map(\.name) == ["z", "a"] && pairs.map(\.value) == ["1", "x"])
        #expect(try fields.list("list").map(\.path) == ["list[0]", "list[1]"])
        try fields.finish()
    }

    private enum Colour: String, CaseIterable { case red, green }

    @Test func `an unknown word is reported with the nearest valid one`() throws {
        var fields = try HarnessFile.fields(of: "a: green\nb: gren\n", file: "n.yaml")
        #expect(try fields.word("a", of: Colour.self) == .green)
        let error = try #require(throws: HarnessError.self) { try fields.word("b", of: Colour.self) }
        #expect(error.description == "n.yaml:2: b: gren is unknown; did you mean green? Expected one of green, red")
    }

    @Test(arguments: [
        ("a: x", ["a"]), ("a: [x, y]", ["a[0]", "a[1]"]), ("a: { do: x }", ["a.do"]),
        ("a: [x, { do: y }]", ["a[0]", "a[1].do"]), ("b: x", []),
    ])
    func `a text may replace a mapping`(text: String, places: [String]) throws {
        var fields = try HarnessFile.fields(of: text, file: "n.yaml")
        var list = try fields.list("a", textsAs: "do")
        #expect(list.map { $0.error("do", "").key } == places)
        for index in list.indices { #expect(["x", "y"].contains(try list[index].text("do"))) }
    }

    @Test(arguments: ["a: [", "- 1", "", "a: 1\na: 2"])
    func `rejects anything but a mapping`(text: String) {
        #expect(throws: HarnessError.self) { try HarnessFile.fields(of: text, file: "n.yaml") }
    }

    @Test(arguments: [("12", Rational(12)), ("-0.5", Rational(-1, 2)), ("30000/1001", Rational(30000, 1001))])
    func `numbers are exact`(text: String, value: Rational) { #expect(Rational(decimal: text) == value) }
}
