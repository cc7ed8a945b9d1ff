import Foundation
import NIOCore
import Testing

@testable import SegueServer

@Suite struct `Inherited sockets` {
    @Test(
        arguments: [
            ([:], .none), (["LISTEN_FDS": "1"], .none), (["LISTEN_PID": "7"], .none),
            (["LISTEN_PID": "7", "LISTEN_FDS": "0"], .none),
            (["LISTEN_PID": "7", "LISTEN_FDS": "2"], .sockets(names: ["", ""])),
            (["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "a:"], .sockets(names: ["a", ""])),
            (["LISTEN_PID": "8", "LISTEN_FDS": "x"], .foreign(process: "8")),
            (["LISTEN_PID": "7x", "LISTEN_FDS": "1"], .foreign(process: "7x")),
        ] as [([String: String], InheritedSockets.Offer)]
    )
    func `are those that the environment announces for this process`(
        environment: [String: String],
        offer: InheritedSockets.Offer
    ) throws {
        #expect(try InheritedSockets.offer(environment, process: 7) == offer)
    }

    @Test(
        arguments: [
            ("65", nil, "LISTEN_FDS is '65'; expected a number of sockets from 0 to 64"),
            ("-1", nil, "LISTEN_FDS is '-1'; expected a number of sockets from 0 to 64"),
            (
                "99999999999999999999", nil,
                "LISTEN_FDS is '99999999999999999999'; expected a number of sockets from 0 to 64"
            ),
            ("1", "a:b", "LISTEN_FDNAMES has 2 names for 1 sockets"),
        ] as [(String, String?, String)]
    )
    func `are rejected in one line if the environment is malformed`(count: String, names: String?, line: String) {
        var environment = ["LISTEN_PID": "7", "LISTEN_FDS": count]
        environment["LISTEN_FDNAMES"] = names
        #expect(throws: InheritedSockets.Failure(description: line)) {
            try InheritedSockets.offer(environment, process: 7)
        }
    }

    private static func listening(_ addresses: [String]) -> InheritedSockets {
        InheritedSockets(
            sockets: addresses.enumerated().map { number, host in
                .init(descriptor: Int32(number + 3), name: "", address: .init(host: host, port: 80))
            }
        )
    }

    @Test(
        arguments: [
            ([], nil), (["127.0.0.1"], "127.0.0.1"), (["127.0.0.1", "192.0.2.1"], "192.0.2.1"),
            (["::1", "192.0.2.1", "::"], "::"), (["127.0.0.1", "0.0.0.0"], "0.0.0.0"),
        ] as [([String], String?)]
    )
    func `count as the most reachable address among them`(addresses: [String], widest: String?) {
        #expect(Self.listening(addresses).widest?.host == widest)
    }
}
