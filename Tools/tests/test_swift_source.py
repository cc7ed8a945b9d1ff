"""Swift is read without a compiler."""

from segue_tools.swift_source import Source, parts, split


def test_braces_in_literals_and_comments_do_not_count():
    source = Source('''
struct Kind {
    let open = "{ \\(names.map { "}" }) // no comment"
    let raw = #"{"\\("#
    let long = """
        } "quoted" {
        """
    let pattern = /[{"]+/
    let half = 4 / 2 / 1
    /* a comment /* in a comment */ { */
    func none() {} // {
}
struct Other {}
''')
    assert [(one.name, one.lines) for one in source.types] == [("Kind", 11), ("Other", 1)]


def test_comments_on_consecutive_lines_are_joined():
    source = Source("/// Makes it.\n///\n/// - Parameter a: One.\nfunc make(a: Int) {}\n\n// Why.\nlet b = 1 // at the "
                    "end\n")
    assert [(one.line, one.is_documentation) for one in source.comments] == [(1, True), (6, False), (7, False)]
    assert source.comments[0].text == "Makes it.\n\n- Parameter a: One."


def test_parameters_and_labels():
    source = Source("func go<T: P<Int>>(_ a: Int, _ b: [Int: String] = [1: \"x\"], to c: (Int, Int) -> Void, d: T) "
                    "{\n}\n"
                    "init?(a: Int)\n")
    assert [(one.name, len(one.parameters), one.unlabelled)
            for one in source.functions] == [("go", 4, 2), ("init", 1, 0)]


def test_the_lines_of_a_function_with_a_long_head():
    source = Source("func a(\n    b: Int\n) async throws(Trouble) -> [String:\n    Int]\nwhere T: P {\n    "
                    "one()\n}\nfunc next() {}\n")
    assert [one.lines for one in source.functions] == [7, 1]


def test_a_requirement_has_no_body():
    source = Source("protocol P {\n    func a() -> Int\n    func b()\n}\n")
    assert [one.body for one in source.functions] == [None, None]


def test_stored_properties():
    source = Source("""final class Kind {
    let a: Int, b: Int
    private(set) var c = 0 { didSet { note() } }
    @Wrapped var d: Int
    lazy var e: Int = { 1 }()
    var f: Int { a + b }
    static let g = 1
    func h() { let i = 1 }
    struct Inner { var j = 1 }
}
""")
    assert [source.stored_properties(one) for one in source.types] == [5, 1]


def test_nested_types_are_named_by_their_outer_type():
    source = Source("enum A {\n    struct B {}\n}\nextension A.B {}\n")
    assert [one.name for one in source.types] == ["A", "A.B", "A.B"]


def test_split_keeps_the_places_of_code():
    text = 'let a = "b" /* c */ + d'
    code, comments = split(text)
    assert len(code) == len(text)
    assert code.split() == ["let", "a", "=", "+", "d"]
    assert comments == [(12, "/* c */")]


def test_parts():
    assert parts("a: [B, C], d: E<F, G>, h: (I) -> J") == ["a: [B, C]", "d: E<F, G>", "h: (I) -> J"]


def test_a_reason_for_a_size():
    source = Source("// Size: one property for each field of the file.\n/// A profile.\n@frozen\nstruct One {}\n"
                    "// Size:\nstruct Two {}\n// Size: it is long.\n\nstruct Three {}\n")
    assert [source.has_size_reason(one) for one in source.types] == [True, False, False]
