import SegueOrigin
import Testing

@testable import SegueServer

@Suite struct `Listening` {
    @Test func `a port in use is an error of one line`() async throws {
        try await withServer({ _, _ in OriginFailure.cancelled.response }) { address in
            let error = await #expect(throws: OriginServerError.self) {
                try await OriginServer.run(
                    .init(host: "127.0.0.1", port: address.port),
                    respond: { _, _ in OriginFailure.cancelled.response },
                    onReady: { _ in Issue.record("two servers cannot have one port") }
                )
            }
            #expect(error?.reason == .addressInUse)
            #expect(error?.description.hasPrefix("127.0.0.1:\(address.port): the port is in use") == true)
        }
    }

    @Test(arguments: ["192.0.2.1", "no-such-host.invalid"])
    func `a foreign host is an error of one line`(host: String) async throws {
        let error = await #expect(throws: OriginServerError.self) {
            try await OriginServer.run(
                .init(host: host),
                respond: { _, _ in OriginFailure.cancelled.response },
                onReady: { _ in }
            )
        }
        #expect(error?.reason == .noSuchAddress, "\(error?.description ?? "")")
        #expect(error?.description.contains("\n") == false)
    }

    @Test(arguments: [-1, 65_536, 80_000])
    func `an invalid port is an error of one line`(port: Int) async throws {
        let error = await #expect(throws: OriginServerError.self) {
            try await OriginServer.run(
                .init(host: "127.0.0.1", port: port),
                respond: { _, _ in OriginFailure.cancelled.response },
                onReady: { _ in }
            )
        }
        #expect(error?.description == "127.0.0.1:\(port): the port is out of range; expected 0 to 65535")
    }
}
