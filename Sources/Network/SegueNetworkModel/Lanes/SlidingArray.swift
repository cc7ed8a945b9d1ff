/// An array whose elements keep their indices while elements are removed at the beginning.
///
/// A long connection remembers only the segments in flight.
struct SlidingArray<Element> {
    private var elements: [Element] = []
    private var head = 0

    private(set) var startIndex = 0

    /// Creates an empty array with the index of its first element.
    init(from index: Int = 0) { startIndex = index }

    var endIndex: Int { startIndex + elements.count - head }

    var isEmpty: Bool { head == elements.count }

    var indices: Range<Int> { startIndex..<endIndex }

    subscript(index: Int) -> Element {
        get { elements[head + index - startIndex] }
        set { elements[head + index - startIndex] = newValue }
    }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Removes the elements before an index.
    mutating func drop(before index: Int) {
        let count = min(index, endIndex) - startIndex
        guard count > 0 else { return }
        startIndex += count
        head += count
        guard head > 1024, head * 2 > elements.count else { return }
        elements.removeFirst(head)
        head = 0
    }

    /// Removes the elements before an index, which becomes the first index if none is left.
    mutating func skip(to index: Int) {
        drop(before: index)
        if isEmpty { startIndex = index }
    }
}
