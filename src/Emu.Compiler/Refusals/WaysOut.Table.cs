using Emu.Compiler.Diagnostics;

namespace Emu.Compiler.Refusals;

internal static partial class WaysOut
{
    /// <summary>Names, apart by spaces, and the advice for each of them.</summary>
    private static IEnumerable<(string Names, WayOut Advice)> Table() =>
    [
        .. OfTime(), .. OfCollections(), .. OfText(), .. OfMemory(), .. OfThreads(), .. OfNumbers(), .. OfNetworks(),
        .. OfHosts(),
    ];

    private static (string Names, WayOut Advice)[] OfTime() =>
    [
        ("""
            System.DateTime System.DateTimeOffset System.TimeProvider System.Diagnostics.Stopwatch
            System.Environment.TickCount64 System.Environment.TickCount
            """,
            new("use frame.Time, the nanoseconds at which the event happened, or frame.Seconds")),
        ("System.TimeSpan System.TimeOnly System.DateOnly",
            new("use a number of nanoseconds, as frame.Time is, or of seconds, as frame.Seconds is")),
        ("System.Threading.Timer System.Threading.PeriodicTimer System.Timers.Timer System.Threading.Thread.Sleep",
            new("override TickInterval and Tick, which is called whenever that time has passed")),
        ("System.Random System.Guid System.Security.Cryptography.RandomNumberGenerator",
            new("use SplitMix64, with a seed that the constructor is given")),
    ];

    private static (string Names, WayOut Advice)[] OfCollections() =>
    [
        ("""
            System.Collections.Generic.IDictionary`2 System.Collections.Generic.IReadOnlyDictionary`2
            System.Collections.IDictionary System.Collections.Generic.ISet`1
            System.Collections.Generic.IReadOnlySet`1
            """,
            new("use an AgeingTable, or an array, that the constructor makes")),
        ("""
            System.Collections.Generic.Queue`1 System.Collections.Generic.PriorityQueue`2
            System.Collections.Concurrent.ConcurrentQueue`1 System.Collections.Queue System.Threading.Channels
            """,
            new("use an array that the constructor makes, with the index of its first element and a count")),
        ("""
            System.Collections System.Collections.Generic.List`1 System.Collections.Generic.Stack`1
            System.Collections.ObjectModel System.Collections.Immutable
            """,
            new("use an array that the constructor makes, and a count")),
        ("System.Linq System.Collections.IEnumerable System.Collections.IEnumerator",
            new("loop over a span or an array with for or foreach")),
        ("System.Array.Copy System.Array.CopyTo System.Buffer.BlockCopy System.Buffer.MemoryCopy",
            new("use CopyTo of spans: from.AsSpan(a, n).CopyTo(to.AsSpan(b))")),
        ("""
            System.Array.Clear System.Array.Fill System.Array.IndexOf System.Array.LastIndexOf
            System.Array.Initialize
            """,
            new("use the method of that name of a span: array.AsSpan()")),
        (".ToArray .Clone System.Array.Resize System.GC.AllocateUninitializedArray System.GC.AllocateArray",
            new("make an array in the constructor, and copy into it",
                DiagnosticNumber.Allocation,
                "{0} allocates memory while a frame is handled")),
        ("System.Range System.Index System.Runtime.CompilerServices.RuntimeHelpers.GetSubArray",
            new("take it of a span: array.AsSpan()[a..b]",
                DiagnosticNumber.Allocation,
                "a range of an array is an array, allocated while a frame is handled")),
    ];

    private static (string Names, WayOut Advice)[] OfText() =>
    [
        ("""
            System.String System.Text System.Globalization System.Convert.ToHexString System.Convert.FromHexString
            System.Convert.ToBase64String System.IFormattable
            """,
            new("use bytes, such as \"text\"u8", DiagnosticNumber.Text)),
        (".ToString .TryFormat .Parse .TryParse .ParseExact .TryParseExact",
            new("keep numbers and bytes, and make text of them where they are shown", DiagnosticNumber.Text)),
        ("""
            System.Runtime.CompilerServices.DefaultInterpolatedStringHandler System.String.Format
            System.String.Concat System.String.Join System.Text.StringBuilder
            """,
            new("keep numbers and bytes, and make text of them where they are shown",
                DiagnosticNumber.Text,
                "a string is made while a frame is handled")),
        ("System.Text.RegularExpressions",
            new("compare bytes: StartsWith, IndexOf and SequenceEqual of spans compile", DiagnosticNumber.Text)),
        ("""
            System.Console System.Diagnostics.Debug System.Diagnostics.Trace System.Diagnostics.Debugger
            System.Diagnostics.Tracing
            """,
            new("count it in a Counter, which every target shows; --trace of ./emu run prints frames")),
        ("System.Char.IsDigit System.Char.IsNumber", new("use char.IsAsciiDigit")),
        ("System.Char.IsLetter", new("use char.IsAsciiLetter")),
        ("System.Char.IsLetterOrDigit", new("use char.IsAsciiLetterOrDigit")),
        ("System.Char.IsUpper", new("use char.IsAsciiLetterUpper")),
        ("System.Char.IsLower", new("use char.IsAsciiLetterLower")),
        ("System.Char.ToUpper System.Char.ToUpperInvariant", new("use char.IsAsciiLetterLower, and clear bit 5")),
        ("System.Char.ToLower System.Char.ToLowerInvariant", new("use char.IsAsciiLetterUpper, and set bit 5")),
        ("System.Char", new("compare it with the characters that are meant, such as c == ' '")),
    ];

    private static (string Names, WayOut Advice)[] OfMemory() =>
    [
        ("""
            System.IO.Stream System.IO.BinaryReader System.IO.BinaryWriter System.IO.TextReader System.IO.TextWriter
            System.IO.Pipelines System.Memory`1 System.MemoryExtensions.AsMemory System.ReadOnlyMemory`1
            System.ArraySegment`1 System.Buffers.ArrayBufferWriter`1 System.Buffers.ReadOnlySequence`1
            System.Buffers.SequenceReader`1
            """,
            new("use a span, such as frame.Bytes[a..b], and BinaryPrimitives")),
        ("""
            System.BitConverter System.Runtime.InteropServices.MemoryMarshal System.Runtime.InteropServices.Marshal
            System.Runtime.CompilerServices.Unsafe System.Buffer
            """,
            new("read and write numbers by BinaryPrimitives")),
        ("System.Buffers.ArrayPool`1 System.Buffers.MemoryPool`1 System.GC",
            new("use an array that the constructor makes")),
        ("System.Span`1.GetPinnableReference System.ReadOnlySpan`1.GetPinnableReference",
            new("use spans, or arrays and indexes", DiagnosticNumber.UnsafeCode, "fixed does not compile")),
    ];

    private static (string Names, WayOut Advice)[] OfThreads() =>
    [
        ("""
            System.Threading.Tasks System.Runtime.CompilerServices.AsyncTaskMethodBuilder
            System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1
            System.Runtime.CompilerServices.AsyncVoidMethodBuilder
            System.Runtime.CompilerServices.AsyncValueTaskMethodBuilder
            System.Runtime.CompilerServices.AsyncValueTaskMethodBuilder`1
            System.Runtime.CompilerServices.IAsyncStateMachine
            """,
            new("do it at once, or keep what is left in fields and go on in Tick",
                DiagnosticNumber.NoModel,
                "a task, an async method, does not compile")),
        ("""
            System.Threading.Monitor System.Threading.Lock System.Threading.Interlocked System.Threading.Volatile
            System.Threading.Mutex System.Threading.SemaphoreSlim System.Threading.Semaphore
            System.Threading.ReaderWriterLockSlim System.Threading.SpinLock
            """,
            new("read and write the field as it is: events are handled one after the other, never at once")),
        ("System.Threading", new("do it at once: events are handled one after the other, by one thread")),
    ];

    private static (string Names, WayOut Advice)[] OfNumbers() =>
    [
        ("System.Decimal System.Double System.Single System.Half System.MathF System.Numerics.Complex",
            new("use integers, scaled where needed", DiagnosticNumber.FloatingPoint)),
        ("System.Numerics.BigInteger", new("use UInt128, or an array of numbers that the constructor makes")),
        ("System.Numerics.Vector System.Numerics.Vector`1 System.Runtime.Intrinsics",
            new("write the loop over the elements")),
        ("System.Convert", new("write a cast, such as (byte)n or checked((byte)n)")),
        ("System.Enum", new("compare with its values")),
        (".GetHashCode System.HashCode", new("use H3Hash, or Crc32, over its bits")),
        ("System.Security.Cryptography", new("use Prince, which encrypts, or Crc32 and H3Hash, which hash")),
        ("System.Tuple System.Tuple`1 System.Tuple`2 System.Tuple`3 System.Tuple`4",
            new("use a tuple of values, (a, b)")),
    ];

    private static (string Names, WayOut Advice)[] OfNetworks() =>
    [
        ("System.Net.IPAddress.HostToNetworkOrder System.Net.IPAddress.NetworkToHostOrder",
            new("use ReadUInt16BigEndian and its like, of BinaryPrimitives")),
        ("""
            System.Net.IPAddress.Parse System.Net.IPAddress.TryParse
            Emu.IPv4Address.Parse Emu.IPv4Address.TryParse Emu.IPv6Address.Parse Emu.IPv6Address.TryParse
            Emu.MacAddress.Parse Emu.MacAddress.TryParse Emu.PortSet.Parse Emu.PortSet.TryParse
            """,
            new("parse it in the constructor, and keep it in a field", DiagnosticNumber.Text)),
        ("System.Net.IPAddress System.Net.IPNetwork System.Net.IPEndPoint", new("use IPv4Address or IPv6Address")),
        ("System.Net.NetworkInformation.PhysicalAddress", new("use MacAddress")),
        ("System.Net", new("change the frame, and say where it leaves: ForwardTo, Reply, Send")),
    ];

    private static (string Names, WayOut Advice)[] OfHosts() =>
    [
        ("""
            System.IO System.Environment System.AppContext System.Reflection System.Type System.Activator
            System.Lazy`1 System.Object.GetType
            """,
            new("ask in the constructor, and keep the answer in a field")),
    ];
}
