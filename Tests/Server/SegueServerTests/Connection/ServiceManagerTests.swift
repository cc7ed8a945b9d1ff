import Foundation
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SegueServer

@Suite struct `A service manager` {
    /// A socket that receives notifications.
    private final class Ear {
        let descriptor: Int32

        init(_ name: [UInt8]) throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
            let bound = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
            }
            try #require(bound == 0)
        }

        deinit { close(descriptor) }

        /// Returns the next notification; waits for it.
        func hear() -> String {
            var bytes = [UInt8](repeating: 0, count: 1000)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }

    @Test func `is notified over a socket in the file system`() throws {
        let folder = try TestFolder()
        let path = folder.file("notify")
        let ear = try Ear(Array(path.utf8))
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": path], process: 1))
        try manager.tell(.ready, status: "serving\n2 items")
        #expect(ear.hear() == "READY=1\nSTATUS=serving2 items")
        try manager.tell(.stopping)
        #expect(ear.hear() == "STOPPING=1")
    }

    @Test func `is notified over an abstract socket`() throws {
        let name = "segue-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let ear = try Ear([0] + name.utf8)
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": "@\(name)"], process: 1))
        try manager.tell(.alive)
        #expect(ear.hear() == "WATCHDOG=1")
    }

    @Test func `is named in an error if it is gone`() throws {
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": "/nowhere/x"], process: 1))
        #expect(throws: ServiceManager.Failure(call: "sendto", number: ENOENT)) { try manager.tell(.ready) }
    }

    @Test(arguments: ["", "relative", "@", "/", "/" + String(repeating: "x", count: 200)])
    func `is missing without an environment variable`(path: String) {
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": path], process: 1) == nil)
        #expect(ServiceManager(environment: [:], process: 1) == nil)
    }

    @Test(
        arguments: [
            (["WATCHDOG_USEC": "2000000"], 2), (["WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "7"], 2),
            (["WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "-5"], nil), (["WATCHDOG_USEC": "much"], nil), ([:], nil),
        ] as [([String: String], Int64?)]
    )
    func `announces the watchdog's interval and process`(settings: [String: String], seconds: Int64?) throws {
        let environment = settings.merging(["NOTIFY_SOCKET": "/run/notify"]) { $1 }
        let manager = try #require(ServiceManager(environment: environment, process: 7))
        #expect(manager.interval == seconds.map { .seconds($0) })
    }

    @Test func `receives signs of life only while the server responds`() throws {
        let name = "segue-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let ear = try Ear([0] + name.utf8)
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": "@\(name)"], process: 1))
        let looks = Monitor(0)
        let watchdog = Watchdog(manager, every: .milliseconds(2)) {
            looks.withLock { looks in
                looks += 1
                return looks > 5
            }
        }
        #expect(ear.hear() == "WATCHDOG=1")
        #expect(looks.withLock { $0 } > 5)
        #expect(ear.hear() == "WATCHDOG=1")
        watchdog.stop()
    }

    @Test func `can check the event loops`() {
        #expect(Watchdog.loopsAreAlive(within: .seconds(20)))
    }
}
