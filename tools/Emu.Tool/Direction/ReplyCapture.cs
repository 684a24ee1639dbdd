using Emu.Direction.Directing;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>Finds the replies to the requests of a session in a capture.</summary>
/// <param name="file">The capture.</param>
internal sealed class ReplyCapture(string file) : IDirectionLink
{
    private readonly List<byte[]> _frames = Read(file);

    /// <inheritdoc/>
    public bool IsDeferred => true;

    /// <inheritdoc/>
    public DirectionReply? Exchange(DirectorSession session, byte[] request) =>
        _frames.Select(frame => session.ReplyTo(request, frame)).FirstOrDefault(reply => reply is not null);

    private static List<byte[]> Read(string file)
    {
        using var reader = CaptureReader.Open(file);
        var frames = new List<byte[]>();
        while (reader.TryRead(out var packet)) frames.Add(packet.Bytes.ToArray());
        return frames;
    }
}
