/// The place of a finding.
package struct Place: Sendable, Hashable, Encodable, CustomStringConvertible {
    /// The URL of the playlist, or of the resource itself.
    package var url: String

    /// The line of the playlist, from 1; nil if the finding concerns no line.
    package var line: Int?

    /// The index of the segment in its playlist, from 0; for live streams, its media sequence number.
    package var segment: Int?

    package init(url: String, line: Int? = nil, segment: Int? = nil) {
        (self.url, self.line, self.segment) = (url, line, segment)
    }

    package var description: String { url + inURL }

    /// The description without the URL if another place has the same URL.
    func description(besides other: Place) -> String {
        let inURL = self.inURL
        return url == other.url && !inURL.isEmpty ? String(inURL.dropFirst(2)) : description
    }

    private var inURL: String {
        (line.map { ", line \($0)" } ?? "") + (segment.map { ", segment \($0)" } ?? "")
    }
}
