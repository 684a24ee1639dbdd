using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Emu.Direction.Editing;

/// <summary>
/// Messages of the Debug Adapter Protocol on a pair of streams: a header with <c>Content-Length</c>, an empty line, and
/// as many bytes of JSON.
/// </summary>
/// <param name="input">The messages of the editor; it is read byte by byte.</param>
/// <param name="output">The messages to it.</param>
internal sealed class MessageStream(Stream input, Stream output)
{
    /// <summary>The most bytes of a message, and of a line of a header.</summary>
    public const int MostBytes = 16 << 20, MostHeaderBytes = 4096;

    private const string LengthField = "Content-Length";

    private readonly Lock _writing = new();

    /// <summary>The form of JSON.</summary>
    public static JsonSerializerOptions Json { get; } = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        RespectNullableAnnotations = true,
    };

    /// <summary>Reads the bytes of a message.</summary>
    /// <returns>The bytes; null at the end of the input.</returns>
    /// <exception cref="FormatException">The header is none: where the next message begins is not known.</exception>
    public byte[]? Read()
    {
        var (length, hasBegun) = ((int?)null, false);
        while (true)
        {
            if (ReadLine() is not { } line)
                return hasBegun ? throw new FormatException("the input ends in a header") : null;
            if (line.Length == 0)
            {
                // Empty lines between messages do no harm.
                if (hasBegun) break;
                continue;
            }
            hasBegun = true;
            if (line.Split(':', 2) is not [var field, var value])
                throw new FormatException($"'{Start(line)}' is no line of a header, such as {LengthField}: 119");
            if (!field.Trim().Equals(LengthField, StringComparison.OrdinalIgnoreCase)) continue;
            length = int.TryParse(value.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
                && number <= MostBytes
                ? number
                : throw new FormatException($"{LengthField}: '{Start(value.Trim())}' is no number up to {MostBytes}");
        }
        var bytes = new byte[length ?? throw new FormatException($"a header has no {LengthField}")];
        return input.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false) == bytes.Length
            ? bytes
            : throw new FormatException("the input ends in a message");
    }

    /// <summary>Writes a message.</summary>
    /// <exception cref="IOException">The editor has gone.</exception>
    public void Write(object message)
    {
        var body = JsonSerializer.SerializeToUtf8Bytes(message, message.GetType(), Json);
        lock (_writing)
        {
            output.Write(Encoding.ASCII.GetBytes($"{LengthField}: {body.Length}\r\n\r\n"));
            output.Write(body);
            output.Flush();
        }
    }

    private static string Start(string text) => text.Length <= 40 ? text : text[..40] + "…";

    /// <summary>A line without its end; null at the end of the input.</summary>
    private string? ReadLine()
    {
        var line = new StringBuilder();
        while (true)
        {
            var next = input.ReadByte();
            if (next < 0) return line.Length > 0 ? throw new FormatException("the input ends in a header") : null;
            if (next == '\n') return line.ToString().TrimEnd('\r');
            if (line.Length == MostHeaderBytes) throw new FormatException("a line of a header is too long");
            line.Append((char)next);
        }
    }
}
