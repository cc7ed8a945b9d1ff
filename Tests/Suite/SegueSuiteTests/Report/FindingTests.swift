import Foundation
import SegueBase
import SegueComparison
import Testing

@testable import SegueSuite

@Suite struct `Findings` {
    private static func late(_ seconds: Double, most: Double) -> Finding {
        let evidence = FindingEvidence(
            at: .init(metric: "startup"),
            measured: .number(seconds),
            expected: .word("<= \(most)"),
            unit: "s"
        )
        return Finding(rule: "budget.startup", message: evidence.sentence ?? "", evidence: evidence)
    }

    @Test func `have their values in JSON, and survive it`() throws {
        let finding = Self.late(3, most: 2.5)
        #expect(finding.message.text == "startup is 3 s, must be <= 2.5 s")
        let json = try JSONEncoder().encode(finding)
        let fields = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(fields["severity"] as? String == "must" && fields["unit"] as? String == "s")
        #expect(fields["measured"] as? Double == 3 && fields["expected"] as? String == "<= 2.5")
        #expect((fields["where"] as? [String: Any])?["metric"] as? String == "startup")
        #expect(try JSONDecoder().decode(Finding.self, from: json) == finding)
    }

    @Test func `of earlier versions have a text only`() throws {
        let json = Data(#"{"rule":"r","message":"late by 3 s","at":1.5}"#.utf8)
        #expect(
            try JSONDecoder().decode(Finding.self, from: json) == Finding(rule: "r", message: "late by 3 s", at: 1.5)
        )
        let recorded = try JSONDecoder().decode(RecordedCase.Finding.self, from: json)
        #expect(recorded == RecordedCase.Finding(rule: "r", message: "late by 3 s", at: 1.5))
    }

    @Test func `of one metric have one shape, whatever their values and limits`() {
        let shapes = [Self.late(3, most: 2), Self.late(7.25, most: 5)].map(\.recorded.shape)
        #expect(shapes[0] == shapes[1])
        #expect(shapes[0] == "budget.startup: startup is # s, must be * s")
    }

    @Test func `that are remarks are advice`() throws {
        let json = try JSONEncoder().encode(Finding(.unserved, "m"))
        #expect(String(decoding: json, as: UTF8.self).contains(#""severity":"advice""#))
    }
}
