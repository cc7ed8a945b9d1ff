internal import Foundation

/// The sources of a suite: media files and folders, URLs, and title lists.
package struct SuiteSources: Sendable {
    /// The files, including those in folders.
    package let files: [MediaFile]

    package let titles: [Title]

    /// The servers that title lists start.
    package let servers: [ServerCommands]

    package init(titles: [Title]) { (files, self.titles, servers) = ([], titles, []) }

    /// Classifies the arguments and reads the lists.
    ///
    /// `places` is folders, files, URLs, and title lists, which end in `.yaml`. `variables` are variables that override
    /// those of the lists.
    ///
    /// - Throws: ``MediaFilesError`` or ``HarnessError``.
    package init(_ places: [String], variables: [String: String] = [:], environment: [String: String] = [:]) throws {
        var paths: [String] = []
        var titles: [Title] = []
        var servers: [ServerCommands] = []
        for place in places {
            if place.hasPrefix("http://") || place.hasPrefix("https://") {
                titles.append(Title(url: place))
            } else if Self.isList(place) {
                let list = try TitleList(fileAt: place, given: variables, environment: environment)
                titles += list.titles
                if let server = list.server, !servers.contains(server) { servers.append(server) }
            } else {
                paths.append(place)
            }
        }
        let files = paths.isEmpty && !titles.isEmpty ? [] : try MediaFiles.list(paths)
        var taken = Set(files.map(\.name))
        for title in titles where !taken.insert(title.name).inserted {
            throw MediaFilesError(
                description: "\(title.name): this name is used by two titles, or by a title and a file"
            )
        }
        (self.files, self.titles, self.servers) = (files, titles, servers)
    }

    private static func isList(_ place: String) -> Bool {
        guard place.hasSuffix(".yaml") || place.hasSuffix(".yml") else { return false }
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
        return !isThere || !isFolder.boolValue
    }
}
