/// Elements by number in memory that is used again and again; whoever has it deallocates it.
struct Ring<Element: BitwiseCopyable> {
    private var base: UnsafeMutablePointer<Element>

    /// How many elements it holds, less one: a power of two less one.
    private(set) var mask: Int

    /// A ring for at least so many elements.
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

    /// Makes room for twice as many.
    mutating func grow(_ numbers: Range<Int>) {
        let grown = Ring(holding: 2 * (mask + 1))
        for number in numbers { grown[number] = self[number] }
        base.deallocate()
        self = grown
    }
}
