/// All cases of a suite, by their places: every file with every case of the matrix.
struct CaseTable: Sendable {
    /// The files' names.
    let files: [String]
    /// The cases of each, without a file's name.
    let cases: [CaseName]

    private let places: [String: Int]

    /// The cases of some files.
    init(files: [String], matrix: Matrix) {
        self.files = files
        cases = matrix.cases(of: "")
        places = Dictionary(files.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    /// How many cases there are.
    var count: Int { files.count * cases.count }

    /// The place of a file; nil where the suite has none of this name.
    func file(_ name: String) -> Int? { places[name] }

    /// The place of a case among those of its file.
    ///
    /// - Parameters:
    ///   - start: Where to look first, as results come nearly in order.
    /// - Returns: The place; nil where there is no such case.
    func place(of name: CaseName, from start: Int) -> Int? {
        var name = name
        name.file = ""
        return cases[min(start, cases.count)...].firstIndex(of: name) ?? cases.firstIndex(of: name)
    }

    /// The case at a place.
    func name(file: Int, case place: Int) -> CaseName {
        var name = cases[place]
        name.file = files[file]
        return name
    }
}
