internal import CSegueFFmpeg
internal import Foundation
internal import SegueBase

extension StreamInfo {
    // Size: an assignment for each property.
    /// Reads libav's description of a stream.
    init(reading stream: UnsafePointer<AVStream>, programs: [Int]) {
        let parameters = stream.pointee.codecpar.pointee
        index = Int(stream.pointee.index)
        containerID = Int(stream.pointee.id)
        kind = StreamKind(parameters.codec_type)
        codec = String(cString: avcodec_get_name(parameters.codec_id))
        profile = Int(parameters.profile)
        profileName = avcodec_profile_name(parameters.codec_id, parameters.profile).map { String(cString: $0) }
        level = Int(parameters.level)
        codecTag = parameters.codec_tag
        extradata =
            parameters.extradata.map {
                [UInt8](UnsafeBufferPointer(start: $0, count: Int(parameters.extradata_size)))
            } ?? []
        canDecode = StreamInfo.canDecode(parameters.codec_id, extradata: extradata)
        let base = Rational(stream.pointee.time_base) ?? Rational(1, 1_000_000)
        timeBase = base
        start = stream.pointee.start_time == ffs_no_timestamp ? nil : Rational(stream.pointee.start_time) * base
        duration = stream.pointee.duration > 0 ? Rational(stream.pointee.duration) * base : nil
        bitRate = parameters.bit_rate
        width = Int(parameters.width)
        height = Int(parameters.height)
        // The container's value takes precedence over that of the coded frames; neither may be negative.
        let aspects = [stream.pointee.sample_aspect_ratio, parameters.sample_aspect_ratio]
        sampleAspectRatio = aspects.first { $0.num > 0 && $0.den > 0 }.flatMap { Rational($0) }
        averageFrameRate = Rational(stream.pointee.avg_frame_rate)
        realFrameRate = Rational(stream.pointee.r_frame_rate)
        displayMatrix = StreamInfo.displayMatrix(of: stream)
        rotation = StreamInfo.rotation(by: displayMatrix)
        dolbyVision = DolbyVision(stream)
        isInterlaced = ![AV_FIELD_UNKNOWN, AV_FIELD_PROGRESSIVE].contains(parameters.field_order)
        pixelFormat =
            kind == .video
            ? av_get_pix_fmt_name(AVPixelFormat(rawValue: parameters.format)).map { String(cString: $0) } : nil
        reorderDelay = Int(parameters.video_delay)
        canReorder = (avcodec_descriptor_get(parameters.codec_id)?.pointee.props ?? 0) & AV_CODEC_PROP_REORDER != 0
        colour = StreamInfo.colour(parameters)
        sampleRate = Int(parameters.sample_rate)
        channels = Int(parameters.ch_layout.nb_channels)
        channelLayout = kind == .audio ? ChannelLayout.describe(parameters.ch_layout) : ""
        frameSize = Int(parameters.frame_size)
        initialPadding = Int(parameters.initial_padding)
        trailingPadding = Int(parameters.trailing_padding)
        let disposition = stream.pointee.disposition
        isAttachedPicture = disposition & AV_DISPOSITION_ATTACHED_PIC != 0
        isDefault = disposition & AV_DISPOSITION_DEFAULT != 0
        isAuxiliary =
            disposition
            & (AV_DISPOSITION_HEARING_IMPAIRED | AV_DISPOSITION_VISUAL_IMPAIRED | AV_DISPOSITION_COMMENT) != 0
        describesVideo = disposition & AV_DISPOSITION_VISUAL_IMPAIRED != 0
        describesMusicAndSound = disposition & AV_DISPOSITION_HEARING_IMPAIRED != 0
        let properties = avcodec_descriptor_get(parameters.codec_id)?.pointee.props ?? 0
        // Captions embedded in video have start times but no end times.
        isText = properties & AV_CODEC_PROP_TEXT_SUB != 0 && parameters.codec_id != AV_CODEC_ID_EIA_608
        isCommentary = disposition & AV_DISPOSITION_COMMENT != 0
        isForced = disposition & AV_DISPOSITION_FORCED != 0
        self.programs = programs
        language = Metadata.value("language", in: stream.pointee.metadata)
        title = Metadata.value("title", in: stream.pointee.metadata)
        self.parameters = CodecParameters(copying: stream.pointee.codecpar)
    }

    private static func colour(_ parameters: AVCodecParameters) -> [String: String] {
        guard parameters.codec_type == AVMEDIA_TYPE_VIDEO else { return [:] }
        return colour(
            range: parameters.color_range,
            primaries: parameters.color_primaries,
            transfer: parameters.color_trc,
            matrix: parameters.color_space
        )
    }

    /// The color properties as encoder options, without unknown ones.
    static func colour(
        range: AVColorRange,
        primaries: AVColorPrimaries,
        transfer: AVColorTransferCharacteristic,
        matrix: AVColorSpace
    ) -> [String: String] {
        let names = [
            "color_range": av_color_range_name(range),
            "color_primaries": av_color_primaries_name(primaries),
            "color_trc": av_color_transfer_name(transfer),
            "colorspace": av_color_space_name(matrix),
        ]
        return names.compactMapValues { $0.map { String(cString: $0) } }
            .filter { !["unknown", "reserved"].contains($0.value) }
    }

    private static func displayMatrix(of stream: UnsafePointer<AVStream>) -> [Int32]? {
        var size = 0
        guard let matrix = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size), size >= 36 else {
            return nil
        }
        return matrix.withMemoryRebound(to: Int32.self, capacity: 9) {
            [Int32](UnsafeBufferPointer(start: $0, count: 9))
        }
    }

    static func rotation(by matrix: [Int32]?) -> Double {
        // libav's angle is counterclockwise.
        guard let matrix, case let turned = av_display_rotation_get(matrix), turned.isFinite else { return 0 }
        let clockwise = (-turned).rounded()
        return clockwise < 0 ? clockwise + 360 : clockwise
    }
}

extension StreamKind {
    init(_ type: AVMediaType) {
        switch type {
        case AVMEDIA_TYPE_AUDIO: self = .audio
        case AVMEDIA_TYPE_VIDEO: self = .video
        case AVMEDIA_TYPE_SUBTITLE: self = .subtitle
        case AVMEDIA_TYPE_DATA: self = .data
        case AVMEDIA_TYPE_ATTACHMENT: self = .attachment
        default: self = .unknown
        }
    }
}

extension Rational {
    /// Converts libav's fraction; nil if it means "unknown".
    init?(_ fraction: AVRational) {
        guard fraction.num != 0, fraction.den != 0 else { return nil }
        self.init(Int64(fraction.num), Int64(fraction.den))
    }

    /// The nearest fraction with 32-bit terms.
    var libav: AVRational {
        var result = AVRational()
        av_reduce(&result.num, &result.den, numerator, denominator, Int64(Int32.max))
        return result
    }
}

enum Metadata {
    static func value(_ key: String, in dictionary: OpaquePointer?) -> String? {
        guard let entry = av_dict_get(dictionary, key, nil, 0), let value = entry.pointee.value else { return nil }
        return text(value)
    }

    /// The text of a tag: UTF-8, or else Windows-1252, which WAV and AVI files of Western Europe have.
    static func text(_ bytes: UnsafePointer<CChar>) -> String {
        if let text = String(validatingCString: bytes) { return text }
        let data = Data(bytes: bytes, count: strlen(bytes))
        return String(data: data, encoding: .windowsCP1252) ?? String(cString: bytes)
    }

    /// The tags of a file; Ogg has them at its streams, of which the first one counts.
    static func all(of file: UnsafePointer<AVFormatContext>, isOgg: Bool) -> [String: String] {
        var tags = all(in: file.pointee.metadata)
        for number in 0..<Int(file.pointee.nb_streams) where isOgg {
            guard let stream = file.pointee.streams[number] else { continue }
            tags.merge(all(in: stream.pointee.metadata)) { first, _ in first }
        }
        return tags
    }

    static func all(in dictionary: OpaquePointer?) -> [String: String] {
        var result: [String: String] = [:]
        var previous: UnsafeMutablePointer<AVDictionaryEntry>?
        while let entry = av_dict_get(dictionary, "", previous, AV_DICT_IGNORE_SUFFIX) {
            previous = entry
            result[String(cString: entry.pointee.key).lowercased()] = text(entry.pointee.value)
        }
        return result
    }
}

/// Runs `body` with an options dictionary, and returns its result and the options left unused.
func withOptions<Result>(
    _ options: [String: String],
    _ body: (inout OpaquePointer?) -> Result
) -> (result: Result, unused: [String]) {
    var dictionary: OpaquePointer?
    for (key, value) in options.sorted(by: { $0.key < $1.key }) { av_dict_set(&dictionary, key, value, 0) }
    let result = body(&dictionary)
    let unused = Metadata.all(in: dictionary).keys.sorted()
    av_dict_free(&dictionary)
    return (result, unused)
}
