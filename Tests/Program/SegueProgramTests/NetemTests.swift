import SegueNetworkModel
import Subprocess
import Synchronization
import Testing

@testable import segue

@Suite struct `Network simulated by the kernel` {
    @Test func `requires root, ip, and tc, and reports which is missing`() {
        func said(isRoot: Bool, _ paths: String...) -> String? {
            NetemRun.obstacle(isRoot: isRoot) { paths.contains($0) }?.description
        }
        #expect(said(isRoot: true, "/sbin/tc", "/usr/bin/ip") == nil)
        #expect(said(isRoot: false, "/sbin/tc", "/usr/bin/ip")?.contains("sudo") == true)
        #expect(said(isRoot: true, "/sbin/tc", "/home/ip")?.contains("there is no ip on this machine") == true)
        #expect(said(isRoot: true, "/bin/ip")?.contains("there is no tc on this machine") == true)
    }

    @Test func `is refused where the kernel cannot delay packets and the network does`() throws {
        let line = LinkProfile.Direction(bitsPerSecond: 1_000_000, delay: .zero)
        let near = LinkProfile(name: "near", down: line, up: line)
        var far = LinkProfile(name: "far", down: line, up: line)
        far.down.delay = .milliseconds(50) ... .milliseconds(50)
        _ = try NetemRun.plan(near, hasNetem: false)
        _ = try NetemRun.plan(far, hasNetem: true)
        let error = #expect(throws: CommandFailure.self) { try NetemRun.plan(far, hasNetem: false) }
        #expect(error?.description.hasPrefix("far: ") == true && error?.description.contains("--listen") == true)
    }

    @Test func `a command receives each signal once, also one before its start`() {
        let sent = Mutex<[String]>([])
        let command = NetemCommand { process, signal in sent.withLock { $0.append("\(process) \(signal)") } }
        command.send(2)
        #expect(sent.withLock { $0 } == [])
        command.begin(77)
        #expect(sent.withLock { $0 } == ["77 2"])
        command.send(15)
        #expect(sent.withLock { $0 } == ["77 2", "77 15"])
    }

    @Test func `the exit code is that of the command, by shell conventions`() {
        #expect(NetemCommand.exitCode(.exited(0)) == 0 && NetemCommand.exitCode(.exited(3)) == 3)
        #expect(NetemCommand.exitCode(.signaled(15)) == 143)
    }
}
