using System.Text;

namespace Emu.Services;

/// <summary>The lines by which the text protocol says outcomes.</summary>
internal sealed class TextReplies
{
    private static readonly string[] s_lines = [.. Enum.GetValues<Outcome>().Select(LineOf)];

    private readonly byte[] _bytes = Encoding.ASCII.GetBytes(string.Concat(s_lines));
    private readonly ushort[] _starts =
        [.. Enumerable.Range(0, s_lines.Length + 1).Select(n => (ushort)s_lines.Take(n).Sum(line => line.Length))];

    /// <summary>The line of an outcome, with its end.</summary>
    public ReadOnlySpan<byte> this[Outcome outcome] =>
        _bytes.AsSpan(_starts[(int)outcome], _starts[(int)outcome + 1] - _starts[(int)outcome]);

    private static string LineOf(Outcome outcome) => outcome switch
    {
        Outcome.Stored => "STORED\r\n",
        Outcome.NotStored => "NOT_STORED\r\n",
        Outcome.Exists => "EXISTS\r\n",
        Outcome.NotFound => "NOT_FOUND\r\n",
        Outcome.Deleted => "DELETED\r\n",
        Outcome.Touched => "TOUCHED\r\n",
        Outcome.Ok => "OK\r\n",
        Outcome.NotNumeric => "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n",
        Outcome.BadFormat => "CLIENT_ERROR bad command line format\r\n",
        Outcome.BadDataChunk => "CLIENT_ERROR bad data chunk\r\n",
        Outcome.BadExpiry => "CLIENT_ERROR invalid exptime argument\r\n",
        Outcome.BadDelta => "CLIENT_ERROR invalid numeric delta argument\r\n",
        Outcome.BadDelete => "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n",
        Outcome.Version => $"VERSION {Memcached.Version}\r\n",
        Outcome.Counted => "\r\n",
        Outcome.End => "END\r\n",
        Outcome.Error => "ERROR\r\n",
        _ => "",
    };
}
