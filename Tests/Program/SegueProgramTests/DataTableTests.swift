import SegueData
import SegueProxy
import SegueSuite
import SegueTestSupport
import Testing

@testable import segue

@Suite struct `Data of the program` {
    @Test func `every built-in network has a line in columns`() throws {
        let harness = try ProgramData.harness()
        let lines = try NetworkList.text(of: harness).split(separator: "\n")
        #expect(lines.count == harness.names(of: .networks).count + 1)
        let column = try #require(lines.first?.firstRange(of: "kbit/s")?.lowerBound)
        let place = lines[0].distance(from: lines[0].startIndex, to: column)
        for line in lines {
            let (before, after) = (line.prefix(place), line.dropFirst(place))
            #expect(before.last == " " && after.first != " ", "\(line)")
        }
    }

    @Test func `links of a file have unique names`() throws {
        let folder = try TestFolder()
        let link = "  - { name: a, listen: 127.0.0.1:0, to: 127.0.0.1:1, network: wifi }\n"
        let path = try folder.write(Array("links:\n\(link)\(link)".utf8), to: "links.yaml")
        let error = try #require(throws: HarnessError.self) { try LinkFile.plans(at: path, ProgramData.harness()) }
        #expect(error.line == 3 && error.description.contains("which an earlier link already has"), "\(error)")
        let one = try folder.write(Array("links:\n\(link)".utf8), to: "one.yaml")
        #expect(try LinkFile.plans(at: one, ProgramData.harness()).map(\.name) == ["a"])
    }

    @Test(arguments: [
        ("- { rule: no-such, reason: x }", "no-such is unknown"), ("- { rule: utf-8 }", "reason"),
        ("- { reason: x }", "rule"),
    ])
    func `a waiver that waives nothing is refused`(entry: String, words: String) throws {
        let folder = try TestFolder()
        let path = try folder.write(Array("waivers:\n  \(entry)\n".utf8), to: "w.yaml")
        let error = try #require(throws: HarnessError.self) { try WaiverFile.waivers(ofFileAt: path) }
        #expect(error.line == 2 && error.description.contains(words), "\(error)")
    }
}
