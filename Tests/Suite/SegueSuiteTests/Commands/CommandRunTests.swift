import SegueOrigin
import Testing

@testable import SegueSuite

@Suite struct `A run of commands` {
    @Test func `responses lead to further commands, each once`() {
        let leaf = ServerCommand(.health, "leaf", at: "leaf", expect: [.status(200)])
        let root = ServerCommand(.health, "root", at: "root", expect: [.status(200)]).followed { _ in [leaf, leaf] }
        var run = CommandRun([root])
        let first = run.next()
        #expect(first?.name == "root" && run.next() == nil)
        run.take(CommandResponse(status: 200), to: root, after: 0)
        #expect(run.next()?.name == "leaf")
        #expect(run.next() == nil)
    }

    @Test func `a wrong response leads to no further commands`() {
        let leaf = ServerCommand(.health, "leaf", at: "leaf", expect: [.status(200)])
        let root = ServerCommand(.health, "root", at: "root", expect: [.status(200)]).followed { _ in [leaf] }
        var run = CommandRun([root])
        run.take(CommandResponse(status: 500), to: root, after: 0)
        #expect(run.results.map(\.findings) == [["the status is 500"]])
        #expect(run.next()?.name == "root")
        #expect(run.next() == nil)
    }

    @Test(arguments: [(0, 20), (1, 0)])
    func `a list of groups is requested again and again only when all items are scanned`(pending: Int, least: Int) {
        let features = GroupCommands(facts: ServerFacts(devices: [], isLoopback: true)).features
        let body = Array(#"{"groups":[],"offset":0,"pending":\#(pending),"total":0}"#.utf8)
        let again = features.next(CommandResponse(status: 200, body: body))
        let more = again.flatMap { $0.next(CommandResponse(status: 200, headers: [("etag", "\"a\"")], body: body)) }
        #expect(again.isEmpty == (pending > 0) && more.count >= least)
    }

    @Test func `the segments of a channel are requested before older commands`() {
        let piece = ServerCommand(.channelPiece, "piece", at: "piece", expect: [])
        let playlist = ServerCommand(.channel, "playlist", at: "playlist", expect: []).followed { _ in [piece] }
        let others = ["a", "b"].map { ServerCommand(.health, $0, at: $0, expect: []) }
        var run = CommandRun(others + [playlist])
        #expect(run.next()?.name == "playlist")
        #expect(run.next()?.name == "a")
        run.take(CommandResponse(status: 200), to: playlist, after: 0)
        #expect((0..<3).map { _ in run.next()?.name } == ["piece", "b", nil])
        #expect(run.count == 4)
    }
}
