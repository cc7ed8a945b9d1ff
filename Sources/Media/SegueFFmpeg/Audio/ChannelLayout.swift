internal import SegueConcurrency
import CSegueFFmpeg

/// The channel layout of a stream.
package final class ChannelLayout: @unchecked Sendable {
    // Sendable: written only before `init` returns.
    let pointer: UnsafeMutablePointer<AVChannelLayout>

    private init(empty: Void) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: AVChannelLayout())
    }

    deinit {
        av_channel_layout_uninit(pointer)
        pointer.deallocate()
    }

    /// The default layout for a channel count (2: stereo, 6: 5.1).
    package convenience init(channels: Int) {
        self.init(empty: ())
        av_channel_layout_default(pointer, Int32(channels))
    }

    /// A layout by libav name (`mono`, `5.1(side)`); nil if libav does not know the name.
    package convenience init?(named name: String) {
        self.init(empty: ())
        guard av_channel_layout_from_string(pointer, name) >= 0 else { return nil }
    }

    /// A copy of libav's layout; unplaced or unmixable channels get the default layout.
    convenience init(copying source: UnsafePointer<AVChannelLayout>) {
        self.init(empty: ())
        if source.pointee.order != AV_CHANNEL_ORDER_NATIVE || source.pointee.nb_channels <= 0 {
            av_channel_layout_default(pointer, max(1, source.pointee.nb_channels))
        } else {
            guard av_channel_layout_copy(pointer, source) >= 0 else { endWithoutMemory() }
        }
    }

    package var channels: Int { Int(pointer.pointee.nb_channels) }

    /// libav's description of the layout.
    package var name: String { ChannelLayout.describe(pointer.pointee) }

    static func describe(_ layout: AVChannelLayout) -> String {
        var layout = layout
        var buffer = [CChar](repeating: 0, count: 128)
        guard av_channel_layout_describe(&layout, &buffer, buffer.count) >= 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
