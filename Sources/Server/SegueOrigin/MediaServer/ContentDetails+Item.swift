import SegueBase
import SegueFFmpeg
import SeguePackager
import SegueUPnP

extension ContentDetails {
    /// The media types of playlists (RFC 8216, section 4): one for video, the other for audio.
    private static let playlist = "application/vnd.apple.mpegurl"
    private static let audioPlaylist = "audio/mpegurl"

    /// All protocols of resources, comma-separated.
    static let sources: String = {
        let files = MediaTypes.all.map { ProtocolInfo.file($0) } + [ProtocolInfo.file("audio/mpeg", profile: "MP3")]
        return (files + [playlist, audioPlaylist].map(ProtocolInfo.playlist)).joined(separator: ",")
    }()

    /// The resources of an item: the original file, HTTP Live Streaming, and its audio alone.
    ///
    /// - Parameters:
    ///   - knowledge: The result of its scan.
    ///   - base: The start of its addresses.
    init(_ item: LibraryItem, _ knowledge: Catalogue.Knowledge, base: String) {
        let address = "\(base)/items/\(item.id)"
        let type = MediaTypes.contentType(fileExtension: item.fileExtension)
        guard case .known(let facts) = knowledge else {
            self.init(resources: [ContentResource(protocolInfo: ProtocolInfo.file(type), url: address + "/original")])
            return
        }
        let video = facts.streams.first { $0.kind == .video && !$0.isAttachedPicture }
        let audio = facts.streams.first { $0.kind == .audio }
        let milliseconds = facts.duration.map { $0.rounded(scale: 1000) }
        let profile = video == nil ? audio.flatMap { Self.profile(facts, $0) } : nil
        var file = ContentResource(
            protocolInfo: ProtocolInfo.file(type, profile: profile),
            url: address + "/original"
        )
        file.size = (try? FileIdentity(ofFileAt: item.filePath))?.size
        if let size = file.size, let milliseconds, milliseconds > 0 {
            file.bytesPerSecond = Int64((Double(size) * 1000 / Double(milliseconds)).rounded())
        }
        file.sampleFrequency = audio?.sampleRate
        file.channels = audio?.channels
        file.resolution = video.map(\.uprightSize)
        var found = [file]
        if video != nil {
            var stream = ContentResource(
                protocolInfo: ProtocolInfo.playlist(Self.playlist),
                url: address + "/index.m3u8"
            )
            stream.resolution = file.resolution
            found.append(stream)
        }
        if audio != nil {
            found.append(
                ContentResource(
                    protocolInfo: ProtocolInfo.playlist(Self.audioPlaylist),
                    url: address + "/index.m3u8?background=1"
                )
            )
        }
        for index in found.indices { found[index].milliseconds = milliseconds }
        self.init(
            resources: found,
            artwork: facts.streams.contains(where: \.isAttachedPicture) ? address + "/artwork.jpg" : nil
        )
    }

    private static func profile(_ facts: ItemFacts, _ audio: StreamInfo) -> String? {
        // Other profiles of AAC need another protocol.
        guard audio.codec != "aac" || audio.profileName == "LC" else { return nil }
        return ProtocolInfo.profile(
            container: facts.container,
            codec: audio.codec,
            channels: audio.channels,
            sampleRate: audio.sampleRate,
            bitsPerSecond: audio.bitRate
        )
    }
}
