import Foundation
import SegueOrigin
import SegueSuite

/// The address of a server, as it prints it.
struct ServerBase {
    /// The server's own, with a slash at its end.
    let root: String
    /// The key that stands behind it; nil where there is none.
    let key: String?

    /// Reads an address.
    ///
    /// - Throws: ``CommandFailure`` where it is none.
    init(_ url: String) throws {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme, ["http", "https"].contains(scheme),
            parts.host?.isEmpty == false, parts.query == nil
        else { throw CommandFailure(url, "not a server's address, such as http://127.0.0.1:8080/") }
        let whole = url.hasSuffix("/") ? url : url + "/"
        let mount = whole.wholeMatch(of: /(.*\/)k\/([^\/]+)\//)
        root = mount.map { String($0.output.1) } ?? whole
        key = mount.map { String($0.output.2) }
    }

    /// Whether it is this machine's own.
    var isLoopback: Bool { URL(string: root)?.host.flatMap { HostName($0) }?.isLoopback ?? false }

    /// What an address begins with that is asked for with a key.
    func address(_ key: CommandKey) -> String {
        switch key {
        case .own: self.key.map { "\(root)k/\($0)/" } ?? root
        case .none: root
        case .wrong: "\(root)k/\(CommandKey.wrongKey)/"
        }
    }
}
