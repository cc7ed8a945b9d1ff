package import SegueComparison

/// The separately run parts of a suite as one run.
package struct MergedRuns {
    /// The outcomes in the order of the matrix.
    package let outcomes: CaseOutcomes
    /// The number of cases of the suite.
    package let planned: Int
    /// The tags of the titles that have any, by name.
    package let tags: [String: [String]]
    /// Missing and duplicate parts, one per line.
    package let complaints: [String]
    /// The time from the start of the first case to the end of the last, in seconds.
    package let wallSeconds: Double
    /// The locations of the files and titles, by name.
    package let places: [String: SourcePlace]
    /// The descriptions of the rules, by id.
    package let abouts: [String: String]
    /// The cases that are left out, since they cannot be.
    package let leftOut: [LeftOut]
    /// The releases of apps, by the name of the policy.
    package let releases: [String: AppRelease]

    /// Merges run folders.
    ///
    /// - Parameter paths: The folders, at least one.
    /// - Throws: ``RunFolderError`` if one cannot be read or belongs to another suite.
    package init(_ paths: [String]) throws {
        let folders = try paths.map { path throws(RunFolderError) in try RunFolder.open(path, isWritable: false) }
        guard let first = folders.first else { throw RunFolderError("merge", "no run folders are given") }
        for folder in folders.dropFirst() {
            if let difference = first.header.difference(from: folder.header, isSamePlace: false) {
                throw RunFolderError(folder.path, "belongs to a different suite from \(first.path): \(difference)")
            }
            if first.header.part?.of != folder.header.part?.of {
                throw RunFolderError(folder.path, "has a different number of shards from \(first.path)")
            }
        }
        places = first.header.places
        abouts = first.header.abouts
        (leftOut, releases) = (first.header.leftOut, first.header.releases ?? [:])
        planned = first.header.table.count
        tags = first.header.tags
        complaints = Self.complaints(on: folders)
        outcomes = try CaseOutcomes(of: folders)
        var (begun, ended) = (Double.infinity, -Double.infinity)
        try outcomes.each { outcome in
            guard let cost = outcome.cost else { return }
            begun = min(begun, cost.began)
            ended = max(ended, cost.began + cost.wallSeconds)
        }
        wallSeconds = max(0, ended > begun ? ended - begun : 0)
    }

    private static func complaints(on folders: [RunFolder]) -> [String] {
        var complaints: [String] = []
        let parts = Dictionary(grouping: folders) { $0.header.part?.number ?? 1 }
        let count = folders.first?.header.part?.of ?? 1
        for number in 1...count {
            let found = parts[number] ?? []
            let name = count == 1 ? "the run" : "shard \(number) of \(count)"
            if found.isEmpty { complaints.append("\(name) is missing") }
            if found.count > 1 {
                complaints.append("\(name) exists \(found.count) times: \(found.map(\.path).joined(separator: ", "))")
            }
            for folder in found where folder.leftCount > 0 {
                let left = "\(folder.leftCount) of its \(folder.header.cases) cases have no result"
                complaints.append(
                    "\(name) is incomplete: \(left); continue it with segue regress --resume \(folder.path)"
                )
            }
        }
        let (missing, double) = gaps(in: folders)
        if missing > 0 { complaints.append("\(missing) cases of the suite have no result") }
        if double > 0 { complaints.append("\(double) cases have several results; the first is used") }
        return complaints
    }

    /// The numbers of cases without a result, and with several.
    private static func gaps(in folders: [RunFolder]) -> (missing: Int, double: Int) {
        guard let table = folders.first?.header.table else { return (0, 0) }
        var (missing, double) = (0, 0)
        for file in table.files.indices {
            for place in table.cases.indices where table.has(file: file, case: place) {
                switch folders.count(where: { $0.results.hasResult(file: file, case: place) }) {
                case 0: missing += 1
                case 1: break
                default: double += 1
                }
            }
        }
        return (missing, double)
    }
}
