import Foundation
import SegueCurl
import SegueUPnP

/// The descriptions of media servers that responded to a search.
package enum MediaServerProbe {
    /// Returns the servers with their names in the order of their responses; servers without a description are left
    /// out.
    ///
    /// - Parameters:
    ///   - answers: The responses to the search.
    ///   - patience: The time limit of a description.
    /// - Returns: The servers.
    package static func servers(_ answers: [SSDPSearch.Answer], patience: Duration) async -> [FoundServer] {
        await withTaskGroup(of: (Int, FoundServer?).self) { group in
            for (number, answer) in answers.enumerated() {
                group.addTask { (number, await server(answer, patience: patience)) }
            }
            var found: [(Int, FoundServer?)] = []
            for await one in group { found.append(one) }
            return found.sorted { $0.0 < $1.0 }.compactMap(\.1)
        }
    }

    private static func server(_ answer: SSDPSearch.Answer, patience: Duration) async -> FoundServer? {
        let fetcher = HTTPFetcher(
            answer.location,
            timeouts: .init(connecting: patience, idle: patience, whole: patience),
            limit: XMLReader.Limit.bytes,
            followsRedirects: false
        )
        guard let description = try? await fetcher.fetch().bytes else { return nil }
        return server(answer, description: description)
    }

    /// Creates a server from its description and its response; nil if the description is malformed.
    static func server(_ answer: SSDPSearch.Answer, description: [UInt8]) -> FoundServer? {
        guard let device = (try? XMLReader.read(description))?.child("device") else { return nil }
        let text = { (name: String) in device.child(name)?.trimmedText ?? "" }
        let id = text("UDN").hasPrefix("uuid:") ? String(text("UDN").dropFirst("uuid:".count)) : text("UDN")
        let version = [text("modelName"), text("modelNumber")].filter { !$0.isEmpty }.joined(separator: " ")
        // Another Segue, whose description contains the address of its page, possibly with a key for televisions.
        if text("manufacturer") == "Segue", let slash = pathStart(answer.location) {
            return FoundServer(
                kind: .segue,
                name: text("friendlyName"),
                id: id,
                url: answer.location[..<slash] + "/",
                version: text("modelNumber"),
                needsKey: text("presentationURL") != "/"
            )
        }
        return FoundServer(kind: .dlna, name: text("friendlyName"), id: id, url: answer.location, version: version)
    }

    /// The start of a URL's path.
    private static func pathStart(_ url: String) -> String.Index? {
        url.range(of: "://").flatMap { url[$0.upperBound...].firstIndex(of: "/") }
    }
}
