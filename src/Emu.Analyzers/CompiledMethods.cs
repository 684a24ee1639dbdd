using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Emu.Analyzers;

/// <summary>
/// The methods of a project that become hardware: those of its services that handle events, and what these call. It is
/// an approximation from above for calls through interfaces: an editor does not know the objects.
/// </summary>
internal sealed class CompiledMethods
{
    private readonly Compilation _compilation;
    private readonly INamedTypeSymbol _service;
    private readonly CancellationToken _cancellation;
    private readonly Dictionary<IMethodSymbol, HashSet<IMethodSymbol>> _calls = new(SymbolEqualityComparer.Default);
    private readonly List<INamedTypeSymbol> _types;

    private CompiledMethods(Compilation compilation, INamedTypeSymbol service, CancellationToken cancellation)
    {
        (_compilation, _service, _cancellation) = (compilation, service, cancellation);
        _types = [.. TypesIn(compilation.Assembly.GlobalNamespace)];
    }

    /// <summary>Follows the calls from every service of a project.</summary>
    /// <param name="compilation">The project.</param>
    /// <param name="service">The base class of services.</param>
    /// <param name="cancellation">Ends the search.</param>
    public static CompiledMethods Of(
        Compilation compilation, INamedTypeSymbol service, CancellationToken cancellation)
    {
        var methods = new CompiledMethods(compilation, service, cancellation);
        methods.FollowAll();
        return methods;
    }

    /// <summary>True for a method that becomes hardware.</summary>
    public bool Contains(IMethodSymbol method) => _calls.ContainsKey(method.OriginalDefinition);

    /// <summary>True if a method calls itself, perhaps by way of others.</summary>
    public bool IsRecursive(IMethodSymbol caller, IMethodSymbol callee)
    {
        var reached = new HashSet<IMethodSymbol>(SymbolEqualityComparer.Default);
        var open = new Stack<IMethodSymbol>([callee.OriginalDefinition]);
        while (open.Count > 0)
        {
            var method = open.Pop();
            if (SymbolEqualityComparer.Default.Equals(method, caller.OriginalDefinition)) return true;
            if (!reached.Add(method) || !_calls.TryGetValue(method, out var called)) continue;
            foreach (var next in called) open.Push(next);
        }
        return false;
    }

    private void FollowAll()
    {
        var open = new Stack<IMethodSymbol>(_types.Where(IsService).SelectMany(Events));
        while (open.Count > 0)
        {
            _cancellation.ThrowIfCancellationRequested();
            var method = open.Pop();
            if (_calls.ContainsKey(method) || IsModule(method)) continue;
            var called = _calls[method] = new(SymbolEqualityComparer.Default);
            foreach (var callee in Bodies(method).SelectMany(Callees)) called.Add(callee);
            foreach (var next in called.SelectMany(Implementations)) open.Push(next);
        }
    }

    /// <summary>True if a module of its own is a method's circuit: its body runs on .NET alone.</summary>
    private static bool IsModule(IMethodSymbol method) =>
        method.GetAttributes().Any(attribute => attribute.AttributeClass?.BaseType is { Name: "CoreAttribute" });

    private bool IsService(INamedTypeSymbol type)
    {
        for (var at = type.BaseType; at is not null; at = at.BaseType)
        {
            if (SymbolEqualityComparer.Default.Equals(at, _service)) return true;
        }
        return false;
    }

    private static IEnumerable<IMethodSymbol> Events(INamedTypeSymbol service) =>
        service.GetMembers().OfType<IMethodSymbol>().Where(method =>
            method is { IsOverride: true, Name: "Process" or "Tick" or "Interrupt" });

    /// <summary>The code of a method, as far as it is in this project.</summary>
    private IEnumerable<IOperation> Bodies(IMethodSymbol method) =>
        from reference in method.DeclaringSyntaxReferences
        let syntax = reference.GetSyntax(_cancellation)
        where _compilation.ContainsSyntaxTree(syntax.SyntaxTree)
#pragma warning disable RS1030 // A call leads to a method of another file, and this is done once a compilation.
        let model = _compilation.GetSemanticModel(syntax.SyntaxTree)
#pragma warning restore RS1030
        let body = model.GetOperation(syntax, _cancellation)
            ?? (syntax is ArrowExpressionClauseSyntax arrow
                ? model.GetOperation(arrow.Expression, _cancellation)
                : null)
        where body is not null
        select body;

    /// <summary>The methods that code calls.</summary>
    private static IEnumerable<IMethodSymbol> Callees(IOperation body) =>
        from operation in body.DescendantsAndSelf()
        from method in Called(operation)
        where method is not null
        select SymbolNames.Definition(method!);

    private static IEnumerable<IMethodSymbol?> Called(IOperation operation) => operation switch
    {
        IInvocationOperation call => One(call.TargetMethod),
        IPropertyReferenceOperation { Property: var property } => One(property.GetMethod).Append(property.SetMethod),
        IObjectCreationOperation creation => One(creation.Constructor),
        IBinaryOperation binary => One(binary.OperatorMethod),
        IUnaryOperation unary => One(unary.OperatorMethod),
        ICompoundAssignmentOperation compound => One(compound.OperatorMethod),
        IIncrementOrDecrementOperation increment => One(increment.OperatorMethod),
        IConversionOperation conversion => One(conversion.OperatorMethod),
        IMethodReferenceOperation reference => One(reference.Method),
        IDeconstructionAssignmentOperation { Value.Type: { } type } =>
            type.GetMembers("Deconstruct").OfType<IMethodSymbol>(),
        IRecursivePatternOperation { DeconstructSymbol: IMethodSymbol deconstruct } => One(deconstruct),
        _ => Enumerable.Empty<IMethodSymbol>(),
    };

    private static IEnumerable<IMethodSymbol?> One(IMethodSymbol? method) => Enumerable.Repeat(method, 1);

    /// <summary>
    /// The methods of this project that a call may reach. An iterator and an async method are refused at their call.
    /// </summary>
    private IEnumerable<IMethodSymbol> Implementations(IMethodSymbol method)
    {
        if (!method.IsAsync && !IsIterator(method)
            && SymbolEqualityComparer.Default.Equals(method.ContainingAssembly, _compilation.Assembly))
            yield return method;
        if (method is { IsVirtual: false, IsAbstract: false, IsOverride: false }) yield break;
        foreach (var type in _types)
        {
            if (ImplementationIn(type, method) is { } found) yield return found.OriginalDefinition;
        }
    }

    private static IMethodSymbol? ImplementationIn(INamedTypeSymbol type, IMethodSymbol method)
    {
        if (method.ContainingType.TypeKind == TypeKind.Interface)
        {
            var face = type.AllInterfaces.FirstOrDefault(candidate =>
                SymbolEqualityComparer.Default.Equals(candidate.OriginalDefinition, method.ContainingType));
            var member = face?.GetMembers(method.Name).OfType<IMethodSymbol>().FirstOrDefault(candidate =>
                SymbolEqualityComparer.Default.Equals(candidate.OriginalDefinition, method));
            return member is null ? null : type.FindImplementationForInterfaceMember(member) as IMethodSymbol;
        }
        return type.GetMembers(method.Name).OfType<IMethodSymbol>()
            .FirstOrDefault(candidate => Overrides(candidate, method));
    }

    private static bool Overrides(IMethodSymbol method, IMethodSymbol of)
    {
        for (var at = method.OverriddenMethod; at is not null; at = at.OverriddenMethod)
        {
            if (SymbolEqualityComparer.Default.Equals(at.OriginalDefinition, of)) return true;
        }
        return false;
    }

    /// <summary>Tells methods with yield.</summary>
    internal static bool IsIterator(IMethodSymbol method) =>
        method.DeclaringSyntaxReferences.Any(reference => reference.GetSyntax()
            .DescendantNodes(node => !node.IsKind(SyntaxKind.LocalFunctionStatement))
            .Any(node => node.IsKind(SyntaxKind.YieldReturnStatement) || node.IsKind(SyntaxKind.YieldBreakStatement)));

    private static IEnumerable<INamedTypeSymbol> TypesIn(INamespaceOrTypeSymbol scope)
    {
        foreach (var member in scope.GetMembers())
        {
            if (member is INamedTypeSymbol type) yield return type;
            if (member is INamespaceOrTypeSymbol inner)
            {
                foreach (var nested in TypesIn(inner)) yield return nested;
            }
        }
    }
}
