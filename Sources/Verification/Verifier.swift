package import Media
internal import Packager
internal import Synthesis
internal import Timeline

/// Judges what was delivered of a file by comparing it with the source.
///
/// Where all sound is copied, packets are compared; where they differ, and of what is transcoded, what they decode to.
///
/// Both are decoded as they stream by: the memory it takes does not grow with the length of the film, but for some
/// tens of bytes a picture.
package enum Verifier {
    /// Compares a delivery with its source.
    ///
    /// - Parameters:
    ///   - path: The path of the source.
    ///   - delivery: What was delivered of it.
    ///   - cancellation: Stops the work.
    /// - Returns: What was found, and what was compared.
    /// - Throws: ``MediaError`` when the source cannot be opened or the work is cancelled, and whatever fetching a
    ///   segment throws.
    package static func verify(
        source path: String,
        delivery: Delivery,
        cancellation: Cancellation = Cancellation()
    ) throws -> VerificationReport {
        if let report = try byPackets(source: path, delivery: delivery, cancellation: cancellation) { return report }
        var report = VerificationReport()
        let longest = delivery.plan.segments.map(\.duration.seconds).max() ?? 0
        let reach = min(max(2.5 * longest, 3), 30)
        let description = delivery.description
        let sounds = description.tracks.filter { $0.kind == .audio }.map {
            SoundVerification(track: $0, path: path, reach: reach, cancellation: cancellation)
        }
        var films = description.tracks.filter { $0.kind == .video }.map {
            PictureVerification(track: $0, path: path, plan: delivery.plan, cancellation: cancellation)
        }
        report.metrics.bytes = delivery.initSegment.count
        var inspections: [(SegmentInspection, [StreamInfo])] = []
        for number in 0..<delivery.segmentCount {
            try cancellation.check("verify", file: path)
            let bytes = try delivery.segment(number)
            report.metrics.bytes += bytes.count
            do {
                inspections.append(
                    try read(number, bytes, delivery, &films, depth: .whole, cancellation) {
                        if $0 < sounds.count { sounds[$0].take($1, of: $2, segment: number) }
                    }
                )
            } catch let error as MediaError where !error.isCancelled {
                report.find(
                    .segmentAlone,
                    "segment \(number) cannot be opened: \(error.call): \(error.message)",
                    at: delivery.plan.segments.indices.contains(number)
                        ? delivery.plan.segments[number].start.seconds : nil
                )
            }
        }
        if delivery.segmentCount != description.extent.segmentCount {
            report.find(
                .tracks,
                "\(delivery.segmentCount) segments were delivered, the rendition has \(description.extent.segmentCount)"
            )
        }
        for sound in sounds { try sound.finish(&report, plan: delivery.plan) }
        for index in films.indices {
            do {
                try films[index].finish(
                    &report,
                    path: path,
                    plan: delivery.plan,
                    segmentCount: delivery.segmentCount,
                    cancellation: cancellation
                )
            } catch let error as MediaError where !error.isCancelled {
                report.find(.sourceUnreadable, "the source's pictures cannot be read: \(error)")
            }
        }
        if report.sourceComplaints.isEmpty, inspections.contains(where: \.0.hasComplaint) {
            // What was copied was not decoded yet as the source has it.
            let damage = try SourceDamage(of: path, streams: Set(description.tracks.map(\.sourceStream)), cancellation)
            report.sourceComplaints += damage.refusals
        }
        for (inspection, streams) in inspections {
            let sourceIsWhole = report.sourceComplaints.isEmpty
            inspection.finish(streams: streams, plan: delivery.plan, sourceIsWhole: sourceIsWhole, &report)
        }
        judgeOffset(sounds, films, delivery.plan, &report)
        if !report.findings.contains(where: { $0.rule == .sourceUnreadable }) {
            try SyntheticCheck.judge(source: path, delivery: delivery, cancellation: cancellation, &report)
        }
        return report
    }

    /// Demultiplexes one segment and hands its packets to those who compare them: of sound, with the track's number.
    static func read(
        _ number: Int,
        _ bytes: [UInt8],
        _ delivery: Delivery,
        _ films: inout [PictureVerification],
        depth: SegmentInspection.Depth,
        _ cancellation: Cancellation,
        hear: (Int, Packet, StreamInfo) -> Void
    ) throws -> (SegmentInspection, [StreamInfo]) {
        let container = delivery.description.container
        let input = try MediaInput(
            bytes: container == .fmp4 ? delivery.initSegment + bytes : bytes,
            name: "segment \(number)",
            format: container == .fmp4 ? "mov" : "mpegts",
            cancellation: cancellation
        )
        var inspection = SegmentInspection(number: number, description: delivery.description, depth: depth)
        let audio = input.streams.filter { $0.kind == .audio }.map(\.index)
        let video = input.streams.filter { $0.kind == .video }.map(\.index)
        let coders = Dictionary(uniqueKeysWithValues: input.streams.map { ($0.index, CodedPicture($0)) })
        let packet = Packet()
        while try input.read(into: packet) {
            guard input.streams.indices.contains(packet.streamIndex) else { continue }
            let stream = input.streams[packet.streamIndex]
            if let place = audio.firstIndex(of: stream.index) {
                hear(place, packet, stream)
            } else if let place = video.firstIndex(of: stream.index), place < films.count,
                let coder = coders[stream.index]
            {
                try films[place].take(packet, of: stream, coder: coder, segment: number)
            }
            if stream.kind == .audio || stream.kind == .video { inspection.take(packet, of: stream) }
        }
        inspection.close(input.streams)
        return (inspection, input.streams)
    }

    /// Compares how far sound and picture were moved.
    private static func judgeOffset(
        _ sounds: [SoundVerification],
        _ films: [PictureVerification],
        _ plan: SegmentPlan,
        _ report: inout VerificationReport
    ) {
        let planned = (plan.timestampOffset - plan.origin).seconds
        for sound in sounds {
            guard let moved = sound.moved else { continue }
            for (section, offset) in moved.sections.enumerated() {
                // After a discontinuity only the picture knows by how much everything was moved.
                let film = films.first?.moved?.sections
                guard let offset, let reference = film.map({ $0[section] }) ?? (section == 0 ? planned : nil) else {
                    continue
                }
                let milliseconds = ((offset - reference) * 1_000_000).rounded() / 1000
                if abs(milliseconds) >= abs(report.metrics.avOffsetMilliseconds ?? 0) {
                    report.metrics.avOffsetMilliseconds = milliseconds
                }
                guard abs(milliseconds) > 1 + (sound.slack + sound.unit) * 1000 else { continue }
                let against = films.isEmpty ? "its place in the plan" : "the picture"
                let direction = milliseconds > 0 ? "late" : "early"
                report.find(
                    .avOffset,
                    "sound is \(abs(milliseconds)) ms \(direction) against \(against), compared with the source",
                    at: 0
                )
            }
        }
    }
}
