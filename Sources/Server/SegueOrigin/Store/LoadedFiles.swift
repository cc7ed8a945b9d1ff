internal import Foundation

/// The files mapped as code: the program and its loaded libraries.
package enum LoadedFiles {
    /// The paths in `/proc/self/maps`; a replaced file has the suffix " (deleted)".
    package static var paths: Set<String> {
        let maps = SystemText.contents(of: "/proc/self/maps")
        return Set(
            maps.split(separator: "\n").compactMap { line -> String? in
                let parts = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
                guard parts.count == 6, parts[1].contains("x") else { return nil }
                // The last part starts with the blanks that align the paths.
                let path = parts[5].drop { $0 == " " }
                return path.hasPrefix("/") ? String(path) : nil
            }
        )
    }
}
