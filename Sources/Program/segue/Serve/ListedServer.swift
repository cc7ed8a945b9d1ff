import Foundation
import SegueBase
import SegueCurl
import SegueDiscovery

/// A server as `segue find` lists it: all its addresses in one.
struct ListedServer: Encodable, Sendable {
    /// What it is: `segue` or `dlna`.
    let kind: FoundServer.Kind
    let name: String
    /// Where it can be had, the address in IPv4 first.
    let urls: [String]
    /// The program and its version, as far as it says.
    let version: String
    let id: String
    let needsKey: Bool
    let usesTLS: Bool
    /// How many items it has; null where it does not say.
    var items: Int?

    private enum CodingKeys: CodingKey { case kind, name, urls, version, id, needsKey, usesTLS, items }

    /// Servers with their addresses, by name; those with the same id and name are one.
    static func joined(_ found: [FoundServer]) -> [ListedServer] {
        let groups = Dictionary(grouping: found) { [$0.kind.rawValue, $0.id.isEmpty ? $0.url : $0.id, $0.name] }
        let servers = groups.values.compactMap { group -> ListedServer? in
            guard let first = group.first else { return nil }
            let urls = Set(group.map(\.url)).sorted { ($0.contains("[") ? 1 : 0, $0) < ($1.contains("[") ? 1 : 0, $1) }
            return ListedServer(first, urls: urls)
        }
        return servers.sorted {
            ($0.kind == .segue ? 0 : 1, $0.name, $0.id) < ($1.kind == .segue ? 0 : 1, $1.name, $1.id)
        }
    }

    private init(_ server: FoundServer, urls: [String]) {
        (kind, name, self.urls, version, id) = (server.kind, server.name, urls, server.version, server.id)
        (needsKey, usesTLS) = (server.needsKey, server.usesTLS)
    }

    /// Servers with the numbers of their items, asked all at once.
    ///
    /// - Parameters:
    ///   - patience: How long each may take to answer.
    /// - Returns: The servers, in the same order.
    static func asked(_ servers: [ListedServer], patience: Duration) async -> [ListedServer] {
        await withTaskGroup(of: (Int, ListedServer).self) { group in
            for (number, server) in servers.enumerated() {
                group.addTask { (number, await server.asked(patience: patience)) }
            }
            var asked = servers
            for await (number, server) in group { asked[number] = server }
            return asked
        }
    }

    /// The server with the number of its items, where it tells anybody.
    ///
    /// - Parameter patience: How long it may take to answer.
    private func asked(patience: Duration) async -> ListedServer {
        guard kind == .segue, !needsKey, let base = urls.first else { return self }
        struct List: Decodable { var total: Int }
        let timeouts = HTTPFetcher.Timeouts(connecting: patience, idle: patience, whole: patience)
        let url = base + (base.hasSuffix("/") ? "" : "/") + "api/items?limit=1&wait=0"
        var server = self
        server.items = try? await HTTPFetcher(url, timeouts: timeouts, limit: 1 << 20).fetch().json(List.self).total
        return server
    }

    /// The server in one line: its name, where it is, and what is known of it.
    var line: String {
        var facts: [String] = []
        if let items { facts.append(items == 1 ? "1 item" : "\(items) items") }
        if !version.isEmpty { facts.append(kind == .segue ? "version \(version)" : version) }
        if needsKey { facts.append("needs a key") }
        if usesTLS { facts.append("TLS") }
        let text = ["\(name) (\(kind == .segue ? "Segue" : "DLNA"))", urls.joined(separator: " ")] + facts
        return ControlCharacters.shown(text.joined(separator: "  "))
    }

    /// Writes all keys, null where nothing is known.
    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(name, forKey: .name)
        try fields.encode(urls, forKey: .urls)
        try fields.encode(version, forKey: .version)
        try fields.encode(id, forKey: .id)
        try fields.encode(needsKey, forKey: .needsKey)
        try fields.encode(usesTLS, forKey: .usesTLS)
        try fields.encode(items, forKey: .items)
    }
}
