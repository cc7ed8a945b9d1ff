internal import Foundation

/// The files whose code runs in this process: the program and the libraries that it has loaded so far.
package enum LoadedFiles {
    /// Their paths, as proc(5) has them in `maps`: one that was replaced since has " (deleted)" behind it.
    package static var paths: Set<String> {
        let maps = SystemText.contents(of: "/proc/self/maps")
        return Set(
            maps.split(separator: "\n").compactMap { line -> String? in
                let parts = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
                guard parts.count == 6, parts[1].contains("x") else { return nil }
                // What is left when all splits are made begins with the blanks that line the paths up.
                let path = parts[5].drop { $0 == " " }
                return path.hasPrefix("/") ? String(path) : nil
            }
        )
    }
}
