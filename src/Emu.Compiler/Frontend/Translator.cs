using System.Reflection;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Elaboration;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;
using Emu.Compiler.Refusals;

namespace Emu.Compiler.Frontend;

/// <summary>Translates the CIL of a service's methods into one function, every call in its place.</summary>
internal sealed partial class Translator
{
    private const int DeepestCall = 64;
    private const int MostInstructions = 200_000;

    private readonly SsaBuilder _builder;
    private readonly StateMap _state;
    private readonly Storage _storage;
    private readonly SymbolReader _symbols = new();
    private readonly Dictionary<MethodBase, MethodCode?> _codes = [];

    /// <summary>The method whose code is being translated: after a refusal, the one that it is about.</summary>
    private MethodBase? _innermost;
    private readonly List<(MethodCode Code, Instruction At, bool IsFollowed)> _frames = [];
    private readonly List<(Block Block, string Key, object? Before, object? Kept)> _kept = [];
    private int _depth;
    private int _instructions;

    private readonly bool _keepsFrameOperations, _isInterrupt;

    private readonly Assembly _own;

    /// <summary>The thread of the clock level that is translated; null for a service.</summary>
    private readonly ThreadContext? _thread;

    /// <summary>The methods of which there is one copy; null where every call is in its place.</summary>
    private readonly ProcedureTable? _procedures;

    private Translator(
        StateMap state, bool keepsFrameOperations, bool isInterrupt, Assembly own, ThreadContext? thread = null,
        ProcedureTable? procedures = null)
    {
        _builder = new SsaBuilder { Objects = thread?.Shared.Objects };
        (_state, _storage, _keepsFrameOperations, _isInterrupt, _own, _thread, _procedures) =
            (state, new Storage(_builder, state, thread), keepsFrameOperations, isInterrupt, own, thread, procedures);
    }

    /// <summary>The members of .NET that have a model: type, name and number of parameters.</summary>
    public static IEnumerable<string> Models => Intrinsics.Models;

    /// <summary>The types of .NET whose other members are translated, as far as their CIL is of the subset.</summary>
    public static IEnumerable<Type> TranslatedTypes => Intrinsics.PlainTypes;

    /// <summary>Translates what a service does with one event.</summary>
    /// <param name="service">Constructed.</param>
    /// <param name="method"><c>Process</c>, <c>Tick</c> or <c>Interrupt</c>, as the class has it.</param>
    /// <param name="state">The map that the state it uses is put into.</param>
    /// <param name="ports">The number of ports of the device.</param>
    /// <param name="capacity">The bytes of the frame's memory.</param>
    /// <param name="keepsFrameOperations">
    /// True to keep work over many bytes of the frame as one operation instead of a loop:
    /// <see cref="Opcode.FrameSum"/>, <see cref="Opcode.FrameMove"/>, <see cref="Opcode.FrameResize"/>.
    /// </param>
    /// <param name="procedures">The methods of which there is one copy; null to put every call in its place.</param>
    /// <exception cref="CompileException">The service uses what does not compile.</exception>
    public static Function Translate(
        Service service, MethodInfo method, StateMap state, int ports, int capacity, bool keepsFrameOperations,
        ProcedureTable? procedures = null)
    {
        var isInterrupt = method.Name == nameof(Service.Interrupt);
        var translator = new Translator(
            state, keepsFrameOperations, isInterrupt, service.GetType().Assembly, thread: null, procedures);
        return translator.Translate(method, () => translator.Event(service, method, ports, capacity));
    }

    private Function Translate(MethodBase method, Action body)
    {
        var entry = _builder.NewBlock();
        _builder.Seal(entry);
        _builder.Current = entry;
        try
        {
            body();
            CheckKept(entry);
        }
        catch (CompileException exception) when (exception.Location is null)
        {
            var location = _builder.Location ?? LocationOf(method, 0, null);
            throw new CompileException(exception.Number, exception.Reason, location);
        }
        catch (Exception exception) when (exception is not CompileException)
        {
            throw CompileException.OfMistake(exception, _builder.Location);
        }
        return new Function(method.Name, entry);
    }

    /// <summary>new Frame(…); service.Process(ref frame); what it says then.</summary>
    private void Event(Service service, MethodInfo method, int ports, int capacity)
    {
        var frame = new Slot("frame");
        var target = new LocalLocation(frame, typeof(Frame), []);
        _builder.Write(frame, Storage.Default(typeof(Frame)));
        var length = _builder.Add(new Operation(Opcode.Input, 32) { Input = FrameInput.Length });
        var ingress = new Struct(
            StructShape.Of(typeof(PortId)),
            [new Scalar(_builder.Add(new Operation(Opcode.Input, 8) { Input = FrameInput.Ingress }))]);
        var time = new Scalar(_builder.Add(new Operation(Opcode.Input, 64) { Input = FrameInput.Time }));
        var memory = new SpanValue(null, false, SsaBuilder.Constant(32, 0), SsaBuilder.Constant(32, (UInt128)capacity));
        Inline(
            typeof(Frame).GetConstructors().Single(),
            [
                new Pointer(target), memory, new Scalar(length), ingress,
                Storage.OfLive(PortSet.First(ports), typeof(PortSet)), time, new Reference(Host.Instance),
            ]);
        Inline(method, [new Reference(service), new Pointer(target)]);
        if (_builder.Current is null) return;

        var bytes =
            (SpanValue)Inline(typeof(Frame).GetProperty(nameof(Frame.Bytes))!.GetMethod!, [new Pointer(target)])!;
        var egress =
            (Struct)Inline(typeof(Frame).GetProperty(nameof(Frame.Egress))!.GetMethod!, [new Pointer(target)])!;
        _builder.End(new Return(bytes.Start, bytes.Length, ((Scalar)egress.Fields[0]).Value));
    }

    /// <summary>Translates a method in place of a call.</summary>
    /// <returns>The value that it returns; null for nothing, or when it never returns.</returns>
    private AbstractValue? Inline(MethodBase method, IReadOnlyList<AbstractValue> arguments)
    {
        var (location, caller) = (_builder.Location, _innermost);
        _innermost = method;
        if (_thread is not null)
        {
            var name = $"{method.DeclaringType!.Name}.{method.Name}";
            RefuseOtherCircuit(method, name);
            RefuseOtherCircuit(method.DeclaringType, name);
        }
        if (++_depth > DeepestCall)
            throw Refuse(Refusal.Recursion(DeepestCall));
        var code = CodeOf(method)
            ?? throw Refuse(Refusal.NoCode(method.DeclaringType?.Name, method.Name));
        if (code.FirstTry is { } clause && (_thread is null || code.Finallys.Count == 0))
        {
            _builder.Location = LocationOf(method, clause.TryOffset, location);
            throw RefuseTry(method, code, clause);
        }

        var body = new Body(this, method, code, arguments, location);
        var result = body.Translate();
        _frames.RemoveRange(_depth - 1, _frames.Count - _depth + 1);
        _depth--;
        (_builder.Location, _innermost) = (location, caller);
        return result;
    }

    /// <summary>Notes the instruction that is translated in the innermost call.</summary>
    private void Mark(MethodCode code, Instruction at, bool isFollowed)
    {
        if (_frames.Count < _depth) _frames.Add((code, at, isFollowed));
        else _frames[_depth - 1] = (code, at, isFollowed);
    }

    /// <summary>
    /// The calls that lead to the innermost one of a thread: it is the same each time that the thread is translated.
    /// </summary>
    private string PlaceOf(MethodBase method) =>
        _thread is null
            ? ""
            : $"{_thread.Number}:{string.Join('/', _frames.Take(_depth - 1).Select(frame => frame.At.Offset))}"
                + $":{method.Module.MetadataToken:x}{method.MetadataToken:x}{method.DeclaringType}";

    /// <summary>The instruction that is translated, with the calls that lead to it.</summary>
    private string Here =>
        $"{PlaceOf(_innermost!)}@{(_frames.Count < _depth ? 0 : _frames[_depth - 1].At.Offset)}";

    /// <summary>True if what is translated is done in a loop, of the method or of one that has called it.</summary>
    private bool IsInLoop => _frames.Exists(frame => !frame.IsFollowed && ControlFlow.IsInLoop(frame.Code, frame.At));

    private SourceLocation LocationOf(MethodBase method, int offset, SourceLocation? caller)
    {
        var (file, line) = _symbols.Find(method, offset);
        return new SourceLocation(ProcedureTable.NameOf(method), file, line, caller)
        {
            IsLibrary = method.Module.Assembly != _own,
            IsCold = caller is { IsCold: true } || method.IsDefined(typeof(ColdAttribute), inherit: false),
            IsVaried = method.IsDefined(typeof(VariedLengthAttribute), inherit: false),
            Name = NameOf(method, offset, caller),
        };
    }

    /// <summary>
    /// The name of what a line computes: a property with its type (<c>Tcp.SourcePort</c>), the variable that the
    /// statement sets, or the method. Helpers of libraries (static classes, operators, what .NET itself has) compute
    /// what their caller is named after.
    /// </summary>
    private string NameOf(MethodBase method, int offset, SourceLocation? caller)
    {
        var type = method.DeclaringType!;
        var isGetter = method.IsSpecialName && method.Name.StartsWith("get_", StringComparison.Ordinal);
        var isHelper = (type.IsAbstract && type.IsSealed) || (method.IsSpecialName && !isGetter)
            || method.Name is "get_Item" or "get_Value" or nameof(Equals)
            || type.Namespace?.StartsWith(nameof(System), StringComparison.Ordinal) == true;
        if (caller?.Name is { } outer && isHelper && method.Module.Assembly != _own) return outer;
        var variable = isGetter || !_codes.TryGetValue(method, out var code) || code is null
            ? null
            : _symbols.FindVariable(method, code, offset);
        var member = variable ?? (isGetter ? method.Name["get_".Length..] : PlainName(method.Name));
        return typeof(Service).IsAssignableFrom(type) || type.Name.Contains('<', StringComparison.Ordinal)
            ? member
            : $"{type.Name.Split('`')[0]}.{member}";
    }

    /// <summary>
    /// The name that C# has for a method: of a local function, <c>&lt;Process&gt;g__Half|3_0</c>, <c>Half</c>.
    /// </summary>
    private static string PlainName(string method) => method.Split("g__")[^1].Split('|')[0];

    /// <summary>Decoded once, however often it is called.</summary>
    private MethodCode? CodeOf(MethodBase method)
    {
        if (!_codes.TryGetValue(method, out var code)) _codes[method] = code = MethodCode.Of(method);
        return code;
    }

    private CompileException Refuse(int number, string message, Exception? cause = null) =>
        new(number, message, _builder.Location, cause);

    private CompileException Refuse(Refusal refusal, Exception? cause = null) =>
        Refuse(refusal.Number, refusal.Reason, cause);

    /// <summary>The object that stands for the host at compile time.</summary>
    private sealed class Host : IEventHost
    {
        public static Host Instance { get; } = new();

        public void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time) => throw new NotSupportedException();

        public void WaitForFrame() => throw new NotSupportedException();

        public bool TryHold(ReadOnlySpan<byte> bytes, PortId ingress, ulong time, int capacity) =>
            throw new NotSupportedException();
    }
}
