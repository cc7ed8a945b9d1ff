import Synchronization
import Testing

@testable import SegueFetch

@Suite struct `Received bytes` {
    private static let all: [UInt8] = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }

    @Test(arguments: [[10, 300, 999], [1], [500, 500, 501], []])
    func `adjacent ranges are joined to the resource`(cuts: [Int]) {
        let resource = SharedBytes(Self.all) { [] }
        let bounds = [0] + cuts + [1000]
        var came = FetchBytes()
        for (start, end) in zip(bounds, bounds.dropFirst()) { came.append(FetchBytes(resource)[start..<end]) }
        // Released bytes can only be those of the resource.
        resource.letGo()
        #expect(came.count == 1000 && came.bytes.isEmpty)
    }

    @Test func `other parts are concatenated in order`() {
        let (one, other) = (SharedBytes(Self.all) { [] }, SharedBytes(Self.all) { [] })
        var came = FetchBytes(one)[0..<10]
        came.append(FetchBytes(one)[20..<30], expecting: 100)
        came.append(FetchBytes(other)[30..<40])
        came.append(FetchBytes([1, 2, 3]))
        #expect(came.bytes == Array(Self.all[0..<10] + Self.all[20..<40]) + [1, 2, 3])
        #expect(came[5..<12].bytes == Array(Self.all[5..<10] + Self.all[20..<22]))
        #expect(came.prefix(4) == FetchBytes(one).prefix(4) && came.prefix(99) == came)
    }

    @Test func `a range of a range is a range of the resource`() {
        let part = FetchBytes(SharedBytes(Self.all) { [] })[100..<200]
        #expect(part[10..<20].bytes == Array(Self.all[110..<120]))
        #expect(part.prefix(1000).count == 100 && part.prefix(-1).isEmpty)
    }

    @Test func `released bytes are recreated, even if fewer`() {
        let whole = SharedBytes(Self.all) { Self.all }
        let less = SharedBytes(Self.all) { Array(Self.all.prefix(150)) }
        for resource in [whole, less] { resource.letGo() }
        #expect(FetchBytes(whole)[100..<200].bytes == Array(Self.all[100..<200]))
        #expect(FetchBytes(less)[100..<200].bytes == Array(Self.all[100..<150]))
    }

    @Test func `caches answers about a whole resource, but not about a range`() {
        let looked = Mutex(0)
        func sum(_ bytes: FetchBytes, times factor: Int) -> Int {
            bytes.answer(to: factor) { bytes in
                looked.withLock { $0 += 1 }
                return bytes.reduce(0) { $0 + Int($1) } * factor
            }
        }
        let resource = SharedBytes(Self.all) { [] }
        let expected = Self.all.reduce(0) { $0 + Int($1) }
        for _ in 0..<3 { #expect(sum(FetchBytes(resource), times: 2) == 2 * expected) }
        #expect(looked.withLock(\.self) == 1)
        #expect(sum(FetchBytes(resource), times: 3) == 3 * expected)
        #expect(sum(FetchBytes(resource)[0..<1], times: 5) == 0)
        #expect(sum(FetchBytes(resource)[1..<2], times: 2) == 14)
        #expect(looked.withLock(\.self) == 4)
        resource.letGo()
        #expect(sum(FetchBytes(resource), times: 3) == 3 * expected)
    }
}
