import Conformance
import Foundation
import Testing
import Timeline

@Suite struct `Rules` {
    @Test func `good playlists break none`() {
        #expect(Validator.findings(Good.transport) == [])
        #expect(Validator.findings(Good.fragments) == [])
        #expect(Validator.findings(Good.sound) == [])
        #expect(Validator.findings(Good.pictures) == [])
        #expect(Validator.findings(Good.subtitles) == [])
        #expect(Validator.findings(Good.long(step: Rational(6))) == [])
        #expect(Validator.findings(Good.multivariant) == [])
    }

    @Test(arguments: [HTTPFacts.Role.playlist, .initialization, .segment])
    func `good answers break none`(role: HTTPFacts.Role) {
        var subject = Good.transport
        subject.resources = [Good.resource(role)]
        #expect(Validator.findings(subject) == [])
    }

    @Test(arguments: Break.all.indices)
    func `what breaks a rule breaks that one alone`(index: Int) {
        let broken = Break.all[index]
        let found = broken.findings()
        #expect(!found.isEmpty, "\(broken.rule)")
        #expect(Set(found.map(\.rule.id)).subtracting([broken.rule]) == [], "\(broken.rule)")
    }

    @Test func `each rule has what breaks it`() {
        #expect(Set(Validator.rules.map(\.id)).subtracting(Break.all.map(\.rule)) == [])
    }

    @Test func `names are unique`() {
        #expect(Set(RuleCatalogue.rules.map(\.id)).count == RuleCatalogue.rules.count)
    }

    @Test func `each rule stands for one demand`() {
        let listed = RuleCatalogue.sections.flatMap(\.demands).flatMap(\.rules)
        #expect(listed.sorted() == RuleCatalogue.rules.map(\.id).sorted())
    }

    @Test func `the page ends with the tables of the rules`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let page = try String(contentsOf: folder.appending(path: "../../docs/validate.md"), encoding: .utf8)
        #expect(page.hasSuffix(RuleCatalogue.markdown), "segue rules prints the tables as they are now")
    }

    @Test func `a finding says line and segment`() throws {
        var subject = Good.transport
        subject.segments[1].startsWithIDR = false
        let finding = try #require(Validator.findings(subject).first)
        #expect(finding.place.description == "http://h/a/index.m3u8, line 10, segment 1")
        #expect(finding.rule.clause == "A7.4")
    }

    @Test(arguments: ["nan", "-nan", "inf", "-inf", "1e400", "-1e400", "0x1p1023", "99999999999999999999"])
    func `a duration that is no number is a finding`(text: String) {
        let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXTINF:\(text),\nb.ts\n#EXT-X-ENDLIST\n"
        let subject = MediaSubject(
            document: PlaylistDocument(url: Good.base + "index.m3u8", bytes: Array(playlist.utf8))
        )
        #expect(!Validator.findings(subject).isEmpty)
    }

    @Test(arguments: [("0", "0.000000000"), ("1", "0.000000001"), ("9007199254740992", "0.000000001")])
    func `rates of segments without a length are findings`(target: String, duration: String) {
        var subject = Good.multivariant
        for index in subject.media.indices {
            let document = subject.media[index].subject.document
            let text = String(decoding: document.bytes, as: UTF8.self)
                .replacing(/#EXT-X-TARGETDURATION:[0-9]+/, with: "#EXT-X-TARGETDURATION:\(target)")
                .replacing(/#EXTINF:[0-9.]+/, with: "#EXTINF:\(duration)", maxReplacements: 1)
            subject.media[index].subject.document = PlaylistDocument(url: document.url, bytes: Array(text.utf8))
            for segment in subject.media[index].subject.segments.indices {
                subject.media[index].subject.segments[segment].size = 1 << 40
            }
        }
        #expect(Validator.findings(subject).contains { $0.rule.id == "bandwidth-true" })
    }
}
