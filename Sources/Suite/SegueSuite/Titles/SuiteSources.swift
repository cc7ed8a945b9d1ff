internal import Foundation

/// What a suite is given: files and folders of media, URLs, and title lists.
package struct SuiteSources: Sendable {
    /// The files, those of folders among them.
    package let files: [MediaFile]

    /// The titles.
    package let titles: [Title]

    /// The servers of title lists that are to be started.
    package let servers: [ServerCommands]

    /// Titles by themselves.
    package init(titles: [Title]) { (files, self.titles, servers) = ([], titles, []) }

    /// Finds out what each means, and reads the lists.
    ///
    /// - Parameters:
    ///   - places: Folders, files, URLs, and title lists by their ending `.yaml`.
    ///   - variables: Variables that win over those of the lists.
    /// - Throws: ``MediaFilesError`` or ``HarnessError`` with what is wrong.
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
            throw MediaFilesError(description: "\(title.name): two titles, or a title and a file, are called so")
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
