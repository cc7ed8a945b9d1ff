internal import SegueComparison

/// All cases of a suite by index: every file with every case of the matrix.
struct CaseTable: Sendable {
    let files: [String]
    /// The cases of each file, without its name.
    let cases: [CaseName]
    /// The cases of each file that belong to the suite.
    private let selections: [CaseSelection]

    private let places: [String: Int]

    init(files: [(name: String, selection: CaseSelection)], matrix: Matrix) {
        self.files = files.map(\.name)
        selections = files.map(\.selection)
        cases = matrix.cases(of: "")
        places = Dictionary(files.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    var count: Int { files.indices.reduce(0) { sum, file in sum + count(ofFile: file, in: cases.indices) } }

    /// The number of a file's cases in a range of the matrix.
    func count(ofFile file: Int, in range: Range<Int>) -> Int { range.count { has(file: file, case: $0) } }

    /// Returns true if a case of the matrix belongs to the suite.
    func has(file: Int, case place: Int) -> Bool { selections[file].includes(cases[place]) }

    /// The index of a file; nil for an unknown one.
    func file(_ name: String) -> Int? { places[name] }

    /// The index of a case among those of its file; nil for an unknown one.
    ///
    /// `start` is the index to look at first, since results arrive nearly in order.
    func place(of name: CaseName, from start: Int) -> Int? {
        var name = name
        name.file = ""
        return cases[min(start, cases.count)...].firstIndex(of: name) ?? cases.firstIndex(of: name)
    }

    /// The case at an index.
    func name(file: Int, case place: Int) -> CaseName {
        var name = cases[place]
        name.file = files[file]
        return name
    }
}
