import Foundation
import SegueOrigin
import SegueSuite

/// The address of a server as it prints it.
struct ServerBase {
    /// The address without the key, ending with a slash.
    let root: String
    /// The key; nil without one.
    let key: String?

    /// - Throws: ``CommandFailure`` for an invalid address.
    init(_ url: String) throws {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme, ["http", "https"].contains(scheme),
            parts.host?.isEmpty == false, parts.query == nil
        else { throw CommandFailure(url, "must be a server's address, such as http://127.0.0.1:8080/") }
        let whole = url.hasSuffix("/") ? url : url + "/"
        let mount = whole.wholeMatch(of: /(.*\/)k\/([^\/]+)\//)
        root = mount.map { String($0.output.1) } ?? whole
        key = mount.map { String($0.output.2) }
    }

    /// True if the server is on this machine.
    var isLoopback: Bool { URL(string: root)?.host.flatMap { HostName($0) }?.isLoopback ?? false }

    /// The prefix of addresses with a key.
    func address(_ key: CommandKey) -> String {
        switch key {
        case .own: self.key.map { "\(root)k/\($0)/" } ?? root
        case .none: root
        case .wrong: "\(root)k/\(CommandKey.wrongKey)/"
        }
    }
}
