/// The parts of a suite that were run apart, as one.
package struct MergedRuns {
    /// What came of the cases, in the order of the matrix.
    package let outcomes: CaseOutcomes
    /// How many cases the suite has.
    package let planned: Int
    /// The tags of titles that have some, by name.
    package let tags: [String: [String]]
    /// What is missing, or there more than once: a line for each.
    package let complaints: [String]
    /// From the beginning of the first case to the end of the last, in seconds.
    package let wallSeconds: Double
    /// Where the suite's files and titles stand, by name.
    package let places: [String: SourcePlace]
    /// What the rules say, by their ids.
    package let abouts: [String: String]

    /// Joins the folders of runs.
    ///
    /// - Parameter paths: The folders, at least one.
    /// - Throws: ``RunFolderError`` where one cannot be read, or is of another suite.
    package init(_ paths: [String]) throws {
        let folders = try paths.map { path throws(RunFolderError) in try RunFolder.open(path, isWritable: false) }
        guard let first = folders.first else { throw RunFolderError("merge", "there is no run to merge") }
        for folder in folders.dropFirst() {
            if let difference = first.header.difference(from: folder.header, isSamePlace: false) {
                throw RunFolderError(folder.path, "is of another suite than \(first.path): \(difference)")
            }
            if first.header.part?.of != folder.header.part?.of {
                throw RunFolderError(folder.path, "is divided otherwise than \(first.path)")
            }
        }
        places = first.header.places
        abouts = first.header.abouts
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
                complaints.append("\(name) is there \(found.count) times: \(found.map(\.path).joined(separator: ", "))")
            }
            for folder in found where folder.leftCount > 0 {
                let left = "\(folder.leftCount) of its \(folder.header.cases) cases have no result"
                complaints.append("\(name) is not done: \(left); segue regress --resume \(folder.path) goes on")
            }
        }
        let (missing, double) = gaps(in: folders)
        if missing > 0 { complaints.append("\(missing) cases of the suite have no result") }
        if double > 0 { complaints.append("\(double) cases have more than one result; the first counts") }
        return complaints
    }

    /// How many cases have no result, and how many have several.
    private static func gaps(in folders: [RunFolder]) -> (missing: Int, double: Int) {
        guard let table = folders.first?.header.table else { return (0, 0) }
        var (missing, double) = (0, 0)
        for file in table.files.indices {
            for place in table.cases.indices {
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
