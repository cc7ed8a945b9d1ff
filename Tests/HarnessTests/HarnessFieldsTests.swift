import Harness
import Testing
import Timeline

@Suite struct `Harness fields` {
    @Test func `a broken value is named with file, line and key`() throws {
        var fields = try HarnessFile.fields(of: "name: a\ndown:\n  rate: fast\n", file: "n.yaml")
        #expect(try fields.text("name") == "a")
        var down = try #require(try fields.fields("down"))
        let error = try #require(throws: HarnessError.self) { try down.number("rate") }
        #expect(error.description == "n.yaml:3: down.rate: is fast, must be a number such as 12, 0.5 or 30000/1001")
    }

    @Test func `a key that is left over is named with the nearest right one`() throws {
        var fields = try HarnessFile.fields(of: "nmae: a\n", file: "n.yaml")
        #expect(try fields.text("name") == nil)
        let error = try #require(throws: HarnessError.self) { try fields.finish() }
        #expect(error.line == 1)
        #expect(error.message.contains("did you mean name?"))
    }

    @Test(arguments: ["a: [", "- 1", "", "a: 1\na: 2"])
    func `what is no mapping of keys is refused`(text: String) {
        #expect(throws: HarnessError.self) { try HarnessFile.fields(of: text, file: "n.yaml") }
    }

    @Test(arguments: [("12", Rational(12)), ("-0.5", Rational(-1, 2)), ("30000/1001", Rational(30000, 1001))])
    func `numbers are exact`(text: String, value: Rational) { #expect(Rational(decimal: text) == value) }
}
