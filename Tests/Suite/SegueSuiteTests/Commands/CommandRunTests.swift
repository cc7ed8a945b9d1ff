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
}
