/// An array whose elements keep their numbers while those at its beginning are let go.
///
/// What a long connection remembers of its segments is what is still under way.
struct SlidingArray<Element> {
    private var elements: [Element] = []
    private var head = 0

    /// The number of the first element that is still there.
    private(set) var startIndex = 0

    /// An array without elements, the first of which will have a number.
    init(from index: Int = 0) { startIndex = index }

    /// The number that the next element will have.
    var endIndex: Int { startIndex + elements.count - head }

    /// Whether nothing is there.
    var isEmpty: Bool { head == elements.count }

    /// The numbers of what is there.
    var indices: Range<Int> { startIndex..<endIndex }

    subscript(index: Int) -> Element {
        get { elements[head + index - startIndex] }
        set { elements[head + index - startIndex] = newValue }
    }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Lets go what comes before a number.
    mutating func drop(before index: Int) {
        let count = min(index, endIndex) - startIndex
        guard count > 0 else { return }
        startIndex += count
        head += count
        guard head > 1024, head * 2 > elements.count else { return }
        elements.removeFirst(head)
        head = 0
    }

    /// Lets go what comes before a number, which the next element has when nothing is left.
    mutating func skip(to index: Int) {
        drop(before: index)
        if isEmpty { startIndex = index }
    }
}
