/// A ring buffer of numbered elements; the owner deallocates it.
struct Ring<Element: BitwiseCopyable> {
    private var base: UnsafeMutablePointer<Element>

    /// The capacity less one: a power of two less one.
    private(set) var mask: Int

    /// Creates a ring with a minimum capacity.
    init(holding count: Int) {
        var capacity = 64
        while capacity < count { capacity *= 2 }
        base = .allocate(capacity: capacity)
        mask = capacity - 1
    }

    func deallocate() { base.deallocate() }

    subscript(number: Int) -> Element {
        @inline(__always) get { base[number & mask] }
        @inline(__always) nonmutating set { base[number & mask] = newValue }
    }

    /// Doubles the capacity.
    mutating func grow(_ numbers: Range<Int>) {
        let grown = Ring(holding: 2 * (mask + 1))
        for number in numbers { grown[number] = self[number] }
        base.deallocate()
        self = grown
    }
}
